import type { TimelineEvent } from "../event.ts";
import type { ItemBody } from "../item.ts";

/** Events that are shown as a notice because no other kind of item shows them. */
export function createNotice(event: TimelineEvent): ItemBody | undefined {
  const notice = (level: string, text: string, details?: unknown): ItemBody => ({
    kind: "notice",
    level,
    text,
    ...(details !== undefined && { details }),
  });
  switch (event.type) {
    case "notice":
      return notice(
        event.level,
        event.text,
        event.rewoundTo === undefined ? undefined : { rewoundTo: event.rewoundTo },
      );
    case "uuid-reused":
      return notice("warning", `two messages have the uuid ${event.uuid}; both are shown`, event);
    case "tool-summed-up":
      return notice("info", event.summary, { callIds: event.callIds });
    case "rate-limited":
      return event.status === "allowed"
        ? undefined
        : notice("warning", `rate limit: ${event.message || event.status}`, event.info);
    case "retry-scheduled":
      return notice(
        "warning",
        `the model answered ${event.status ?? "nothing"}; trying again${triesText(event)}`,
        event,
      );
    case "model-refused":
      return notice("warning", event.message, event);
    case "model-changed":
      return notice("info", `model: ${event.model}`);
    case "mode-changed":
      return notice("info", `permission mode: ${event.mode}`);
    case "permission-denied":
      return notice("warning", `${event.tool} was not allowed: ${event.message}`);
    case "command-printed":
      return notice("output", event.text);
    case "folder-changed":
      return notice("info", `folder: ${event.cwd}`);
    case "files-persisted":
      return notice("info", `files kept: ${event.files.join(", ")}`, event);
    case "auth-changed":
      return notice(
        event.error === undefined ? "info" : "error",
        event.error ?? "logging in",
        event,
      );
    case "plugin-moved":
      return notice(
        event.error === undefined ? "info" : "error",
        `plugin ${event.name ?? ""}: ${event.status}`,
        event,
      );
    case "mcp-changed":
      return notice("info", `MCP servers: ${event.servers.map(serverText).join(", ")}`, event);
    case "prompt-suggested":
      return notice("suggestion", event.suggestion);
    case "conversation-reset":
      return notice("info", "the conversation was reset");
    case "run-started":
      return event.leftOut.length === 0
        ? undefined
        : notice("warning", unsupportedOptionsText(event), event);
    case "session-started":
      return notice(
        "info",
        event.status === "new" ? "session started" : `session ${event.status}`,
        event,
      );
    default:
      return undefined;
  }
}

function triesText({
  attempt,
  maxRetries,
}: Extract<TimelineEvent, { type: "retry-scheduled" }>): string {
  if (attempt === undefined) return "";
  return ` (${attempt}${maxRetries === undefined ? "" : ` of ${maxRetries}`})`;
}

function serverText(server: object): string {
  const { name, status } = server as { name?: unknown; status?: unknown };
  return [name, status].filter((word) => typeof word === "string").join(" ");
}

function unsupportedOptionsText({
  leftOut,
}: Extract<TimelineEvent, { type: "run-started" }>): string {
  return leftOut.map(({ option, why }) => `left out ${option}: ${why}`).join("\n");
}
