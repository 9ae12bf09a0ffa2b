import { isObject } from "@signalbox/protocol/wire";
import type { Prompt } from "../agent.ts";
import { isCommand, hasHostUuid, type Priority, getPriority } from "./prompt.ts";

const priorities: readonly Priority[] = ["now", "next", "later"];

/** The prompts that wait for their turn, and the uuids of those that were taken before. */
export class PromptQueue {
  #waiting: readonly Prompt[] = [];
  readonly #known = new Set<string>();
  readonly #past: ReadonlySet<string>;

  /** `past`: the uuids in the resumed conversation. */
  constructor(past: Iterable<string> = []) {
    this.#past = new Set(past);
  }

  get length(): number {
    return this.#waiting.length;
  }

  /** How many waiting prompts were sent by a person, according to their sender. */
  get personPromptCount(): number {
    return this.#waiting.filter((one) => getOrigin(one) === "human").length;
  }

  /** The waiting prompts whose senders gave them a uuid. */
  get uuids(): string[] {
    return this.#waiting.filter(hasHostUuid).map(({ uuid }) => uuid);
  }

  /** Adds a prompt. One with a known uuid is not run again, but it may still be waiting. */
  add(prompt: Prompt): "added" | "waits" | "was here" | "is past" {
    if (this.#waiting.some(({ uuid }) => uuid === prompt.uuid)) return "waits";
    if (this.#past.has(prompt.uuid)) return "is past";
    if (this.#known.has(prompt.uuid)) return "was here";
    this.#known.add(prompt.uuid);
    this.#waiting = [...this.#waiting, prompt];
    return "added";
  }

  /**
   * Takes the prompts of the next turn: the first of the highest priority, and those after it that
   * can be combined with it.
   */
  take(): readonly Prompt[] {
    const most = priorities.find((one) => this.#waiting.some((it) => getPriority(it) === one));
    const urgent = this.#waiting.filter((one) => getPriority(one) === most);
    const [first, second] = urgent;
    if (!first) return [];
    if (isTaskNotification(first) && second && isTaskNotification(second)) {
      return this.#without([first]).map(unanswered); // One answer covers all of them.
    }
    const end = urgent.findIndex((one) => one !== first && !canBeMerged(first, one));
    return this.#without(end === -1 ? urgent : urgent.slice(0, end));
  }

  /**
   * Takes the prompts that join a running turn: neither prompts for after the turn nor commands.
   */
  takeForRunningTurn(): readonly Prompt[] {
    return this.#without(
      this.#waiting.filter((one) => getPriority(one) === "next" && !isCommand(one)),
    );
  }

  clear(): readonly Prompt[] {
    return this.#without(this.#waiting);
  }

  /** Removes a prompt that still waits. */
  withdraw(uuid: string): Prompt | undefined {
    return this.#without(this.#waiting.filter((one) => one.uuid === uuid))[0];
  }

  #without(taken: readonly Prompt[]): readonly Prompt[] {
    this.#waiting = this.#waiting.filter((one) => !taken.includes(one));
    return taken;
  }
}

/** Whether two prompts can be sent as one message: both of the same kind, and neither a command. */
function canBeMerged(one: Prompt, other: Prompt): boolean {
  return !isCommand(one) && !isCommand(other) && getKind(one) === getKind(other);
}

function getKind({ line }: Prompt): string {
  return JSON.stringify([
    line["isSynthetic"] === true,
    line["shouldQuery"] === false,
    line["origin"],
  ]);
}

function getOrigin({ line: { origin } }: Prompt): unknown {
  return isObject(origin) ? origin["kind"] : undefined;
}

/** Whether the agent sent the prompt to itself, to report finished background work. */
const isTaskNotification = (prompt: Prompt): boolean => getOrigin(prompt) === "task-notification";

const unanswered = (prompt: Prompt): Prompt => ({
  ...prompt,
  line: { ...prompt.line, shouldQuery: false },
});
