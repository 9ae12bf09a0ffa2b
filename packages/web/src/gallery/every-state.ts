import type { AskView } from "@signalbox/api";
import type { Item, ItemBody, ItemOfKind } from "@signalbox/timeline";
import { createSpecimen } from "./create-specimen.ts";
import type { Specimen } from "./specimens.ts";

type Body<Kind extends Item["kind"]> = Omit<Extract<ItemBody, { kind: Kind }>, "kind">;
type Ask = Body<"ask">;

const asked: { readonly [Kind in AskView["kind"]]: Pick<Ask, "title" | "input" | "tool"> } = {
  permission: { title: "rm -rf build", tool: "Bash", input: { command: "rm -rf build" } },
  question: {
    title: "Which files?",
    tool: "AskUserQuestion",
    input: {
      questions: [
        {
          question: "Which files?",
          header: "Scope",
          multiSelect: true,
          options: [{ label: "Sources", description: "under src" }, { label: "Tests" }],
        },
      ],
    },
  },
  plan: {
    title: "Plan",
    tool: "ExitPlanMode",
    input: { plan: "# The plan\n\n1. Fix **it**.\n2. Test it." },
  },
  elicitation: {
    title: "Which account?",
    input: { message: "Which account?", requestedSchema: { properties: { name: {} } } },
  },
  dialog: { title: "Trust this folder?", input: { options: ["yes", "no"] } },
};

const outcomes: readonly Pick<Ask, "status" | "behavior" | "message" | "by" | "interrupt">[] = [
  { status: "open" },
  { status: "answered", behavior: "allow", by: "The desk" },
  { status: "answered", behavior: "deny", message: "not on a Sunday", by: "The phone" },
  { status: "answered", behavior: "deny", message: "stop here", interrupt: true, by: "The phone" },
  { status: "cancelled" },
  { status: "expired", behavior: "deny", message: "Nobody answered within 5 minutes." },
];

function asks(): readonly Ask[] {
  return Object.entries(asked).flatMap(([ask, what]) =>
    outcomes.map((fate) => ({ ask, suggestions: [], ...what, ...fate })),
  );
}

const took = {
  costUsd: 0.0421,
  durationMs: 42_000,
  inputTokens: 12_000,
  outputTokens: 900,
  cacheTokens: 8000,
};
const turnEnds: {
  readonly [Status in ItemOfKind<"turn-end">["status"]]: Partial<Body<"turn-end">>;
} = {
  success: took,
  error: { ...took, error: "API Error: 529 overloaded" },
  interrupted: took,
  crashed: { error: "The agent's process ended with code 137." },
};
const compactions: { readonly [State in ItemOfKind<"compaction">["state"]]: object } = {
  running: { trigger: "auto" },
  done: { trigger: "manual", tokensBefore: 150_000, tokensAfter: 12_000, summary: "We fixed it." },
  failed: { error: "The model answered 529.", trigger: "auto" },
};
const block = { type: "server_tool_use", name: "web_search" };

/**
 * Every kind of item, except tool calls, in every state. States of tasks, hooks and notices are words of the
 * agent: those that were observed.
 */
const states: { readonly [Kind in Exclude<Item["kind"], "tool">]: readonly Body<Kind>[] } = {
  prompt: [
    { origin: "person", arrived: true, content: "Fix the reader." },
    { origin: "person", arrived: false, content: "And then?" },
    { origin: "agent", arrived: true, content: "A task in the background has ended." },
  ],
  text: [
    { text: "It is **fixed**.", live: false },
    { text: "It is fix", live: true },
  ],
  thinking: [
    { text: "The last line is dropped because", live: true },
    { text: "The last line is dropped because nothing ends it.", live: false },
  ],
  block: [
    { block, live: false },
    { block, live: true },
  ],
  ask: asks(),
  "turn-end": Object.entries(turnEnds).map(
    ([status, more]) => ({ status, ...more }) as Body<"turn-end">,
  ),
  task: ["running", "completed", "failed", "killed", "stopped"].map((status) => ({
    description: "npm run dev",
    status,
    ...(status === "running" && { progress: "listening on 5173" }),
    ...(status !== "running" && { summary: "It was there for an hour." }),
  })),
  hook: [
    { name: "lint", event: "PostToolUse", state: "started" },
    { name: "lint", event: "PostToolUse", state: "ended", outcome: "success", output: "clean" },
    { name: "lint", event: "PostToolUse", state: "ended", outcome: "error", output: "2 errors" },
    { name: "lint", event: "PreToolUse", state: "ended", outcome: "cancelled", exitCode: 2 },
  ],
  compaction: Object.entries(compactions).map(
    ([state, more]) => ({ state, ...more }) as Body<"compaction">,
  ),
  notice: ["info", "warning", "error", "immediate", "summary", "aside", "output"].map((level) => ({
    level,
    text: "Retrying in 5 s: the model is overloaded.",
  })),
  opaque: [
    { why: "this type is not known", name: "new_message", raw: '{"type":"new_message","a":[1]}' },
  ],
};

export function everyState(): Specimen[] {
  return Object.entries(states).flatMap(([kind, bodies]) =>
    bodies.map((body) => createSpecimen({ kind, ...body } as ItemBody)),
  );
}
