import type { JsonText, ToolPayload } from "../tool-payload/payload.ts";
import { toFields } from "../tool-payload/values.ts";

/** A title is shown in a list of calls, so long ones are cut. The payload has the whole text. */
const MAX_LENGTH = 200;

/** One line that distinguishes this call from others, such as its command or its file. */
export function toolTitle(name: string, payload: ToolPayload): string {
  return oneLine(subject(payload)) || oneLine(name) || payload.kind;
}

function subject(payload: ToolPayload): string {
  switch (payload.kind) {
    case "read_file":
    case "modify_file":
      return payload.filePath;
    case "shell_exec":
      return payload.command;
    case "background_shell":
      return payload.description ?? payload.command ?? payload.taskId ?? "";
    case "code_search":
      return payload.pattern ?? payload.query ?? payload.path ?? "";
    case "http_request":
      return payload.url ?? payload.query ?? "";
    case "subagent_task":
      return payload.description || payload.prompt;
    case "create_task":
      return payload.title;
    case "manage_todos":
      return todos(payload);
    case "question":
      return payload.questions.map(({ question }) => question).join(" · ");
    case "plan":
      return payload.operation === "enter" ? "Enter plan mode" : heading(payload.plan) || "Plan";
    case "skill":
      return [`/${payload.name}`, payload.args ?? ""].join(" ");
    case "mcp_tool":
      return `${payload.server}: ${payload.tool}${describeFields(payload.input)}`;
    case "worktree":
      return worktree(payload);
    case "schedule":
      return schedule(payload);
    case "workflow":
      return payload.title ?? payload.name ?? payload.output?.name ?? workflow(payload);
    case "misc":
      return [payload.label, payload.details[0]?.value ?? ""].filter(Boolean).join(": ");
    case "generic":
      return `${payload.name}${describeFields(payload.input)}`;
    default:
      return payload satisfies never;
  }
}

type PayloadOfKind<Kind extends ToolPayload["kind"]> = Extract<ToolPayload, { kind: Kind }>;

/** The short fields in the input of an unknown tool. */
function describeFields(input: JsonText): string {
  const texts: string[] = [];
  for (const [name, value] of Object.entries(toFields(input))) {
    if (texts.length === MAX_FIELDS) break;
    if (SECRET.test(name) || (typeof value !== "string" && typeof value !== "number")) continue;
    const shortText = oneLine(String(value), MAX_FIELD_LENGTH);
    if (shortText !== "") texts.push(shortText);
  }
  return texts.length === 0 ? "" : ` (${texts.join(", ")})`;
}
const MAX_FIELDS = 4;
const MAX_FIELD_LENGTH = 60;
/** A title is shown where the whole input is not, for example on a locked screen. */
const SECRET = /key|token|secret|passw|credential|auth/i;

function worktree({ operation, name, path, action }: PayloadOfKind<"worktree">): string {
  if (operation === "enter") return `Enter worktree ${name ?? path ?? ""}`;
  return `Leave worktree${action === undefined ? "" : ` and ${action} it`}`;
}

/** The name in the metadata at the beginning of a script. */
function workflow({ script = "", description = "" }: PayloadOfKind<"workflow">): string {
  const name = /^export const meta = \{[^}]*?\bname: *(['"`])(.+?)\1/.exec(script.slice(0, 1000));
  return name?.[2] ?? description;
}

function plainStatus(status = ""): string {
  return status.replaceAll("_", " ");
}

function todos({ operation, items, output }: PayloadOfKind<"manage_todos">): string {
  const [item] = items;
  if (operation === "list") return "List tasks";
  if (operation === "write") {
    const done = items.filter(({ status }) => status === "completed").length;
    return `${done} of ${items.length} done`;
  }
  const description = item?.description || output?.items?.[0]?.description || "";
  return [`#${item?.id ?? "?"}`, description, plainStatus(item?.status)].filter(Boolean).join(" ");
}

function schedule(payload: PayloadOfKind<"schedule">): string {
  switch (payload.operation) {
    case "create":
      return [payload.cron ?? "", payload.prompt ?? ""].filter(Boolean).join(": ");
    case "delete":
      return `Cancel ${payload.id ?? ""}`;
    case "list":
      return "List schedules";
    case "wakeup":
      if (payload.stop) return "Stop waking up";
      return payload.reason ?? `Wake up in ${payload.delaySeconds ?? "?"} s`;
    default:
      return payload.operation satisfies never;
  }
}

function heading(plan: string): string {
  return (
    plan
      .slice(0, 1000)
      .trimStart()
      .split("\n", 1)[0]
      ?.replace(/^#+\s*/, "") ?? ""
  );
}

/** A run of whitespace, or a whitespace character other than a space. */
const SPACES = /[^\S ]| {2}|^ | $/;

function oneLine(text: string, longest = MAX_LENGTH): string {
  const head = text.length > 4 * longest ? text.slice(0, 4 * longest) : text;
  const line = SPACES.test(head) ? head.replaceAll(/\s+/g, " ").trim() : head;
  if (line.length <= longest) return line;
  const letters = Array.from(line); // A cut between the halves of a surrogate pair would not be valid text.
  return letters.length > longest ? `${letters.slice(0, longest - 1).join("")}…` : line;
}
