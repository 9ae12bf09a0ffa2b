import type { Prompt } from "@signalbox/agent";
import type { SubagentTask } from "../turn/subagent.ts";

/** Something that a subagent is to know: as hosts see it, and as its model does. */
export interface SubagentMessage {
  readonly said: string;
  readonly told: string;
}

/** A subagent that was sent, and how to send it on. */
interface RegisteredSubagent {
  readonly subagent: SubagentTask;
  /** In the background, with what it is told now. `toolUseId`: the call that wants it, if one does. */
  readonly goOn: (word: SubagentMessage, toolUseId?: string) => void;
  isWorking: boolean;
  /** A person ended it: it is not sent on. */
  isStopped: boolean;
}

/** The subagents of a session, who can be told something while they work and sent on after their end. */
export class SubagentRegistry {
  readonly #members = new Map<string, RegisteredSubagent>();

  /** It begins to work, perhaps once more. */
  begin(subagent: SubagentTask, goOn: RegisteredSubagent["goOn"]): void {
    this.#members.set(subagent.id, { subagent, goOn, isWorking: true, isStopped: false });
  }

  /** It has ended. What it was told and did not see any more sends it on. */
  end(id: string, isStopped: boolean): void {
    const member = this.#members.get(id);
    if (!member) return;
    member.isWorking = false;
    member.isStopped = isStopped;
    const unseen = member.subagent.inbox.splice(0);
    if (unseen.length > 0 && member.subagent.inBackground && !isStopped) {
      const whole = (key: keyof SubagentMessage) => unseen.map((word) => word[key]).join("\n\n");
      member.goOn({ said: whole("said"), told: whole("told") });
    }
  }

  /** What became of the words. */
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

/** What a subagent has been told since it looked last. */
export function takeMessagesFor({ inbox }: Pick<SubagentTask, "inbox">): Prompt[] {
  return inbox.splice(0).map(({ told }) => ({
    uuid: crypto.randomUUID(),
    content: `<system-reminder>\n${told}\n</system-reminder>`,
    line: { type: "user", isMeta: true },
  }));
}
