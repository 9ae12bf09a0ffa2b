import { resolveModel } from "./model/models.ts";
import type { Session } from "./session.ts";

/** From now on that model. Of a conversation that has begun, it is a part that hosts are told. */
export function changeModel(session: Session, name: string | undefined): void {
  const before = session.modelName;
  session.modelName = resolveModel(name);
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
