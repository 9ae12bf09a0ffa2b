import type { Prompt } from "../agent.ts";

/** Prompts that wait for their turn, and those that were taken in before, by uuid. */
export class PromptQueue {
  #waiting: Prompt[] = [];
  readonly #known: Set<string>;

  constructor(known: Iterable<string> = []) {
    this.#known = new Set(known);
  }

  get length(): number {
    return this.#waiting.length;
  }

  get uuids(): string[] {
    return this.#waiting.map(({ uuid }) => uuid);
  }

  /** `false`: this one was here before and is not run again. */
  add(prompt: Prompt): boolean {
    if (this.#known.has(prompt.uuid)) return false;
    this.#known.add(prompt.uuid);
    this.#waiting.push(prompt);
    return true;
  }

  /** What the next turn begins with. */
  take(): Prompt | undefined {
    return this.#waiting.shift();
  }

  /** What joins a turn that is under way: all that wait but commands, which have turns of their own. */
  takeAlong(): readonly Prompt[] {
    const along = this.#waiting.filter((prompt) => !isCommand(prompt));
    this.#waiting = this.#waiting.filter(isCommand);
    return along;
  }

  clear(): void {
    this.#waiting = [];
  }

  /** Withdraws one that still waits. */
  withdraw(uuid: string): boolean {
    const at = this.#waiting.findIndex((prompt) => prompt.uuid === uuid);
    if (at !== -1) this.#waiting.splice(at, 1);
    return at !== -1;
  }
}

function isCommand({ content }: Prompt): boolean {
  const text = typeof content === "string" ? content : content[0]?.["text"];
  return typeof text === "string" && text.trimStart().startsWith("/");
}
