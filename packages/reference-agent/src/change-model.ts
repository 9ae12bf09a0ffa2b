import type { Session } from "./session.ts";

/**
 * Switches to another model. If the conversation has begun, hosts are told with a message; a
 * command that changes the model reports it itself.
 */
export function changeModel(
  session: Session,
  name: string | undefined,
  how: "aloud" | "silently" = "aloud",
): void {
  const before = session.modelName;
  session.modelChoice = name;
  if (how === "silently") return;
  if (session.modelName === before || session.conversation.length === 0) return;
  const isAlias = name !== undefined && name !== "default" && name !== session.modelName;
  const shown = isAlias ? `${name} (${session.modelName})` : session.modelName;
  const content = `<local-command-stdout>Set model to \`${shown}\`</local-command-stdout>`;
  session.say({
    type: "user",
    message: { role: "user", content },
    parent_tool_use_id: null,
    timestamp: new Date().toISOString(),
    isReplay: true,
  });
}
