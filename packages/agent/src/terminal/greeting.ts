import { versionText } from "../command-line/help.ts";
import type { Session } from "../sessions/open-session.ts";
import { toSingleLine } from "./screen-text.ts";

/** Renders the text that is shown above the first line that is typed. */
export function greeting({
  folder,
  session: { conversation },
}: {
  readonly folder: string;
  readonly session: Pick<Session, "conversation">;
}): string[] {
  const head = [
    `${versionText}, in ${toSingleLine(folder)}`,
    "/help lists commands. Ctrl-C stops what runs, and leaves when pressed twice.",
  ];
  const last = (type: string) =>
    conversation.findLast(
      (one) =>
        one.type === type &&
        !one["isMeta"] &&
        !one["isCompactSummary"] &&
        textIn(one.message) !== "",
    );
  const [asked, answered] = [last("user"), last("assistant")];
  if (!asked && !answered) return head;
  return [
    ...head,
    "",
    "The conversation goes on. Before:",
    ...(asked ? [`  > ${toSingleLine(textIn(asked.message))}`] : []),
    ...(answered ? [`  ${toSingleLine(textIn(answered.message))}`] : []),
  ];
}

function textIn(
  message: { content: string | readonly { type: string; [field: string]: unknown }[] } | undefined,
): string {
  const content = message?.content ?? "";
  if (typeof content === "string") return content.startsWith("<") ? "" : content;
  return content
    .map(({ type, text }) => (type === "text" ? String(text) : ""))
    .join(" ")
    .trim();
}
