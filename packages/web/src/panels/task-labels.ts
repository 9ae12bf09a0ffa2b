import { strings } from "../strings/strings.ts";

const text = strings.panels.tasks;
const { kinds } = text;

/** The label of a kind of task. Agents may have kinds of their own. */
export function taskKindLabel(kind: string | undefined): string | undefined {
  if (kind === undefined) return undefined;
  return Object.hasOwn(kinds, kind)
    ? kinds[kind]
    : kind.replace(/^local_/, "").replaceAll("_", " ");
}

interface TaskEnd {
  readonly sign: string;
  readonly label: string;
  readonly tone: "text-dim" | "text-failed" | "text-waiting";
}

/** How a task ended, with an icon besides its color. */
export function describeTaskEnd(status: string): TaskEnd {
  switch (status) {
    case "completed":
      return { sign: "✓", label: text.ends.completed, tone: "text-dim" };
    case "failed":
      return { sign: "✕", label: text.ends.failed, tone: "text-failed" };
    case "killed":
    case "stopped":
      return { sign: "■", label: text.ends.stopped, tone: "text-waiting" };
    default:
      return { sign: "·", label: status, tone: "text-dim" };
  }
}

const COMMAND_REPORT =
  /^Background command ".*" (?:completed|failed)\b.*?(?:exit code (\d+))?\)?$/s;

/** What a task reported, or a command's exit code, unless it repeats the description. */
export function summarizeTaskEnd(summary: string, description: string): string {
  if (summary === description) return "";
  const reported = COMMAND_REPORT.exec(summary);
  if (!reported) return summary;
  const [, code = "0"] = reported;
  return code === "0" ? "" : text.exit(code);
}

/** Joins progress details, such as `Reading files · 12.3k tokens · 4 steps`. */
export function joinProgress(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== "").join(" · ");
}
