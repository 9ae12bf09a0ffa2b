import type { Prompt } from "@signalbox/agent";
import type { SubagentRun } from "../turn/subagent.ts";

/** A message to a subagent: as hosts see it, and as its model does. */
export interface SubagentMessage {
  readonly hostText: string;
  readonly modelText: string;
}

/** A subagent, and how to start it again. */
interface RegisteredSubagent {
  readonly subagent: SubagentRun;
  /**
   * Starts it in the background with a message. `toolUseId`: the call that requested it, if any.
   */
  readonly goOn: (word: SubagentMessage, toolUseId?: string) => void;
  isWorking: boolean;
  /** A person stopped it, so it is not started again. */
  isStopped: boolean;
}

/**
 * The subagents of a session, which can get messages while they work and be started again after
 * they end.
 */
export class SubagentRegistry {
  readonly #members = new Map<string, RegisteredSubagent>();

  /** Registers that a subagent begins to work, perhaps again. */
  begin(subagent: SubagentRun, goOn: RegisteredSubagent["goOn"]): void {
    this.#members.set(subagent.id, { subagent, goOn, isWorking: true, isStopped: false });
  }

  /** Registers that a subagent has ended. Messages that it did not see start it again. */
  end(id: string, isStopped: boolean): void {
    const member = this.#members.get(id);
    if (!member) return;
    member.isWorking = false;
    member.isStopped = isStopped;
    const unseen = member.subagent.inbox.splice(0);
    if (unseen.length > 0 && member.subagent.inBackground && !isStopped) {
      const whole = (key: keyof SubagentMessage) => unseen.map((word) => word[key]).join("\n\n");
      member.goOn({ hostText: whole("hostText"), modelText: whole("modelText") });
    }
  }

  /** Sends a message and returns what happened to it. */
  tell(
    id: string,
    word: SubagentMessage,
    toolUseId?: string,
  ): "unknown" | "stopped" | "queued" | "sent" {
    const member = this.#members.get(id);
    if (!member) return "unknown";
    if (member.isStopped) return "stopped";
    if (member.isWorking) {
      member.subagent.inbox.push(word);
      return "queued";
    }
    member.goOn(word, toolUseId);
    return "sent";
  }
}

/** Takes the messages that a subagent has not seen yet. */
export function takeMessagesFor({ inbox }: Pick<SubagentRun, "inbox">): Prompt[] {
  return inbox.splice(0).map(({ modelText }) => ({
    uuid: crypto.randomUUID(),
    content: `<system-reminder>\n${modelText}\n</system-reminder>`,
    line: { type: "user", isMeta: true },
  }));
}
