import type { JsonObject } from "@signalbox/protocol/wire";
import type { Turn } from "@signalbox/agent";
import { startRemarks } from "../hooks/session-start.ts";
import { Ledger } from "../model/usage.ts";
import type { Session } from "../session.ts";
import { ReadFileTracker } from "../tools/read-file-tracker.ts";

/** Ends the conversation, which stays on disk under its title, and begins an empty one. */
export async function startOver(turn: Turn, session: Session, name: string): Promise<JsonObject> {
  const { hooks } = session;
  await hooks.run("SessionEnd", { reason: "clear" }, { subject: "clear" });
  turn.say({
    type: "conversation_reset",
    new_conversation_id: crypto.randomUUID(),
    trigger: "clear",
    user_message_uuid: turn.prompt.uuid,
    timestamp: new Date().toISOString(),
  });
  session.tasks.sayChanged();
  turn.startOver(name === "" ? undefined : name);
  forget(session);
  const outcome = await hooks.run("SessionStart", { source: "clear" }, { subject: "clear" });
  session.startContexts.push(...startRemarks(outcome, "clear"));
  await turn.sayInit();
  return { result: "" };
}

/** Resets the state of the conversation. Model, mode, rules and background tasks are kept. */
function forget(session: Session): void {
  session.conversation.length = 0;
  session.tokensInWindow = 0;
  session.ledger = new Ledger();
  session.files = new ReadFileTracker();
  session.memory = undefined;
  session.memoryReason = "session_start";
  session.shellFolder = session.context.folder;
  session.announcedFolder = session.context.folder;
  session.startContexts.length = 0;
  session.shownSkills.clear();
  session.promptId = "";
}
