import type { ToolPayload } from "./payload.ts";

/** A title is for a list of calls: longer ones are cut, the payload has the whole. */
const LONGEST = 200;

/** One line that tells this call from the others, such as its command or its file. */
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
      return `${payload.server}: ${payload.tool}`;
    case "worktree":
      return `${payload.operation} worktree ${payload.name ?? payload.path ?? payload.action ?? ""}`;
    case "schedule":
      return schedule(payload);
    case "workflow":
      return payload.title ?? payload.name ?? payload.output?.name ?? payload.description ?? "";
    case "misc":
      return [payload.label, payload.details[0]?.value ?? ""].filter(Boolean).join(": ");
    case "generic":
      return payload.name;
    default:
      return payload satisfies never;
  }
}

type Of<Kind extends ToolPayload["kind"]> = Extract<ToolPayload, { kind: Kind }>;

function plainStatus(status = ""): string {
  return status.replaceAll("_", " ");
}

function todos({ operation, items, output }: Of<"manage_todos">): string {
  const [item] = items;
  if (operation === "list") return "List tasks";
  if (operation === "write") {
    const done = items.filter(({ status }) => status === "completed").length;
    return `${done} of ${items.length} done`;
  }
  const words = item?.description || output?.items?.[0]?.description || "";
  return [`#${item?.id ?? "?"}`, words, plainStatus(item?.status)].filter(Boolean).join(" ");
}

function schedule(payload: Of<"schedule">): string {
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

/** More than one space between words, or another than a blank. */
const SPACES = /[^\S ]| {2}|^ | $/;

function oneLine(text: string): string {
  const head = text.length > 4 * LONGEST ? text.slice(0, 4 * LONGEST) : text;
  const line = SPACES.test(head) ? head.replaceAll(/\s+/g, " ").trim() : head;
  if (line.length <= LONGEST) return line;
  const letters = Array.from(line); // a cut between the halves of a surrogate pair is no text
  return letters.length > LONGEST ? `${letters.slice(0, LONGEST - 1).join("")}…` : line;
}
