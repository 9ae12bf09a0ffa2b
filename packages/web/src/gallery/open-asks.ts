import type { AskView } from "@signalbox/api";
import { hidden } from "./sample-texts.ts";

/** An ask and how it is shown. */
export interface AskExhibit {
  readonly what: string;
  readonly ask: AskView;
  readonly compact?: true;
  /** Shown as on a device that may not answer, or without a connection to the hub. */
  readonly seen?: "by a viewer" | "without its hub";
}

let made = 0;
function ask(kind: AskView["kind"], more: Partial<AskView>): AskView {
  const id = `ask-${++made}`;
  return {
    id,
    session: "gallery",
    run: "gallery",
    requestId: id,
    kind,
    title: "",
    input: {},
    hash: "0".repeat(64),
    suggestions: [],
    openedAt: Date.now() - 90_000,
    status: "open",
    ...more,
  };
}

const command: Partial<AskView> = {
  tool: "Bash",
  title: "npm run release",
  input: { command: "npm run release -- --dry-run", description: "Try the release" },
  suggestions: [
    {
      type: "addRules",
      behavior: "allow",
      destination: "localSettings",
      rules: [{ toolName: "Bash", ruleContent: "npm run release:*" }],
    },
    { type: "setMode", mode: "acceptEdits", destination: "session" },
    { type: "setMode", mode: "bypassPermissions", destination: "session" },
  ],
};
const scope = {
  question: "Which files?",
  header: "Scope",
  multiSelect: false,
  options: [
    { label: "Sources", description: "everything under src" },
    { label: "Tests", description: "and their fixtures" },
  ],
};
const looks = {
  question: "Which look?",
  header: "Look",
  multiSelect: false,
  options: [
    { label: "Rows", preview: "+-------+\n| one   |\n| two   |\n+-------+" },
    { label: "Columns", preview: "+---+---+\n|one|two|\n+---+---+" },
  ],
};
const several = { ...scope, question: "Which of them?", multiSelect: true };
const plan = "# The plan\n\n1. Read the rest after the loop.\n2. Test it.\n\n```sh\nnpm test\n```";
const form = {
  subtype: "elicitation",
  mcp_server_name: "charts",
  message: "Where should the chart go?",
  requestedSchema: {
    properties: {
      title: { type: "string", title: "Title", description: "It stands above the chart" },
      width: { type: "integer", title: "Width", minimum: 100, maximum: 2000 },
      kind: { type: "string", enum: ["bar", "line"], title: "Kind" },
      legend: { type: "boolean", title: "With a legend" },
    },
    required: ["title"],
  },
};
const address = {
  subtype: "elicitation",
  mcp_server_name: "billing",
  mode: "url",
  message: "Log in to go on with the payment.",
  url: "https://login.example.com/oauth/authorize?client_id=signalbox&state=3f9a",
  elicitation_id: "e1",
  description: "The payment waits until you have logged in.",
};
const explorer = {
  agentId: "a1",
  subagent: { type: "Explore", description: "Find where lines are cut" },
};
const longer = Array.from({ length: 80 }, (_, at) => `echo step ${at + 1}`).join("\n");

/** Every kind of open ask. */
export function openAsks(): readonly AskExhibit[] {
  const permission = ask("permission", command);
  const answered = { status: "answered", answeredBy: "The phone", answeredAt: Date.now() } as const;
  return [
    { what: "permission", ask: permission },
    { what: "permission, on a tile", ask: ask("permission", command), compact: true },
    {
      what: "permission, with characters that hide",
      ask: ask("permission", { tool: "Bash", input: { command: hidden }, reason: "It is new." }),
    },
    {
      what: "permission, longer than is shown at once",
      ask: ask("permission", { tool: "Bash", input: { command: longer } }),
    },
    { what: "permission, of a subagent", ask: ask("permission", { ...command, ...explorer }) },
    {
      what: "of a subagent, on a tile",
      ask: ask("permission", { ...command, ...explorer }),
      compact: true,
    },
    { what: "of a nameless subagent", ask: ask("permission", { ...command, agentId: "a1" }) },
    { what: "question, one answer", ask: ask("question", { input: { questions: [scope] } }) },
    {
      what: "question, several answers",
      ask: ask("question", { input: { questions: [several] } }),
    },
    { what: "question, with previews", ask: ask("question", { input: { questions: [looks] } }) },
    {
      what: "several questions, on a tile",
      ask: ask("question", { input: { questions: [scope, several] } }),
      compact: true,
    },
    { what: "plan", ask: ask("plan", { tool: "ExitPlanMode", input: { plan } }) },
    {
      what: "plan, with characters that reorder",
      ask: ask("plan", { tool: "ExitPlanMode", input: { plan: `${plan}\n\nrm \u202efdp.txt` } }),
    },
    { what: "form of a server", ask: ask("elicitation", { title: "charts", input: form }) },
    { what: "address of a server", ask: ask("elicitation", { title: "pay", input: address }) },
    { what: "dialog", ask: ask("dialog", { title: "Trust this folder?", input: {} }) },
    { what: "permission, seen by a viewer", ask: permission, seen: "by a viewer" },
    { what: "permission, without its hub", ask: permission, seen: "without its hub" },
    {
      what: "allowed",
      ask: ask("permission", { ...command, ...answered, decision: { behavior: "allow" } }),
    },
    {
      what: "denied",
      ask: ask("permission", { ...command, ...answered, decision: { behavior: "deny" } }),
    },
    { what: "expired", ask: ask("permission", { ...command, status: "expired" }) },
    { what: "withdrawn", ask: ask("permission", { ...command, status: "cancelled" }) },
  ];
}
