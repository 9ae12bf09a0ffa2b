import { shape, string, text, type Tool } from "../tool.ts";

/** How many columns of a message are shown. */
const COLUMNS = 50;
const isId = (to: string): boolean => /^a[0-9a-f]{16}$/.test(to);

/** Sends a message to a subagent: it gets it with its next call, or is started again with it. */
export const sendMessage: Tool = {
  name: "SendMessage",
  description:
    "Tells a subagent that you sent something more, by the agentId that its call brought back. One that still works sees it after its next call; one that has ended goes on in the background, with all that it knows, and reports again.",
  input: shape(
    { to: string("The agentId"), message: string("What it is to know or to do") },
    { summary: string("The message in five to ten words") },
  ),
  describeForHost({ to, message, ...more }) {
    if (typeof to !== "string" || typeof message !== "string") return { to, message, ...more };
    const kind = to === "main" ? "main" : isId(to) ? "agent" : "name";
    const content = clipMessage(message);
    return {
      to,
      message,
      ...more,
      type: "message",
      recipient: to,
      recipient_kind: kind,
      content,
    };
  },
  async refuse(input) {
    if (text(input, "to") === "*") return "A message goes to one subagent at a time.";
    return text(input, "message").trim() === "" ? "message must not be empty" : undefined;
  },
  run(input, { session, toolUseId }) {
    const to = text(input, "to");
    const messageText = text(input, "message");
    const outcome = session.subagentRegistry.tell(
      to,
      { hostText: messageText, modelText: renderMessage(messageText) },
      toolUseId,
    );
    const answers = {
      unknown: `No subagent of this session is called ${to}.`,
      stopped: `${to} was stopped by the user and is not sent on. Send another if it is needed.`,
      queued: `${to} sees this after its next call. If it ends before that, it goes on with it and reports again.`,
      sent: `Resuming agent ${to.slice(0, 7)}`,
    };
    const answer = {
      success: outcome === "queued" || outcome === "sent",
      message: answers[outcome],
    };
    const ids = outcome === "sent" ? { resumedAgentId: to } : {};
    return Promise.resolve({
      content: [{ type: "text", text: JSON.stringify({ ...answer, ...ids }) }],
      structured: { ...answer, ...ids, ...(outcome === "sent" && { revivedAgentId: to }) },
    });
  },
};

function clipMessage(message: string): string {
  const isSeen = (char: string) => char >= " ";
  const letters = Array.from(message);
  if (letters.filter(isSeen).length <= COLUMNS) return message;
  let seen = 0;
  const end = letters.findIndex((char) => isSeen(char) && ++seen === COLUMNS);
  return `${letters.slice(0, end).join("")}…`;
}

const renderMessage = (message: string): string =>
  `The one who sent you has more to say:\n${message}\n\nSee to it before you report.`;
