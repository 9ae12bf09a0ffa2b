import { isObject } from "@signalbox/protocol/wire";
import type { Prompt } from "../agent.ts";
import { isCommand, hasHostUuid, type Priority, getPriority } from "./prompt.ts";

const priorities: readonly Priority[] = ["now", "next", "later"];

/** Prompts that wait for their turn, and those that were taken in before, by uuid. */
export class PromptQueue {
  #waiting: readonly Prompt[] = [];
  readonly #known = new Set<string>();
  readonly #past: ReadonlySet<string>;

  /** `past`: those of the conversation that goes on. */
  constructor(past: Iterable<string> = []) {
    this.#past = new Set(past);
  }

  get length(): number {
    return this.#waiting.length;
  }

  /** How many are a person's by their sender's word. */
  get human(): number {
    return this.#waiting.filter((one) => getOrigin(one) === "human").length;
  }

  /** Of those that their senders named. */
  get uuids(): string[] {
    return this.#waiting.filter(hasHostUuid).map(({ uuid }) => uuid);
  }

  /** One that was here before is not run again; it may be waiting still. */
  add(prompt: Prompt): "added" | "waits" | "was here" | "is past" {
    if (this.#waiting.some(({ uuid }) => uuid === prompt.uuid)) return "waits";
    if (this.#past.has(prompt.uuid)) return "is past";
    if (this.#known.has(prompt.uuid)) return "was here";
    this.#known.add(prompt.uuid);
    this.#waiting = [...this.#waiting, prompt];
    return "added";
  }

  /** What the next turn begins with: the first of the most urgent, with those after it that go with it. */
  take(): readonly Prompt[] {
    const most = priorities.find((one) => this.#waiting.some((it) => getPriority(it) === one));
    const urgent = this.#waiting.filter((one) => getPriority(one) === most);
    const [first, second] = urgent;
    if (!first) return [];
    if (isNews(first) && second && isNews(second)) {
      return this.#without([first]).map(unanswered); // the last of them is answered, for all
    }
    const end = urgent.findIndex((one) => one !== first && !goTogether(first, one));
    return this.#without(end === -1 ? urgent : urgent.slice(0, end));
  }

  /** What joins a turn that is under way: neither what is for after it, nor commands. */
  takeAlong(): readonly Prompt[] {
    return this.#without(
      this.#waiting.filter((one) => getPriority(one) === "next" && !isCommand(one)),
    );
  }

  clear(): readonly Prompt[] {
    return this.#without(this.#waiting);
  }

  /** Withdraws one that still waits. */
  withdraw(uuid: string): Prompt | undefined {
    return this.#without(this.#waiting.filter((one) => one.uuid === uuid))[0];
  }

  #without(taken: readonly Prompt[]): readonly Prompt[] {
    this.#waiting = this.#waiting.filter((one) => !taken.includes(one));
    return taken;
  }
}

/** Whether two prompts can be one message: no commands, and of the same kind. */
function goTogether(one: Prompt, other: Prompt): boolean {
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

/** What the agent tells itself: something that went on in the background is over. */
const isNews = (prompt: Prompt): boolean => getOrigin(prompt) === "task-notification";

const unanswered = (prompt: Prompt): Prompt => ({
  ...prompt,
  line: { ...prompt.line, shouldQuery: false },
});
