import type { Decoded, Message, SystemMessage } from "@signalbox/protocol";
import { isObject } from "@signalbox/protocol/wire";

type ResultMessage = Message<"result">;
/** The states of a prompt: sent, read by the agent, and ended with its turn. */
type PromptState = "sent" | "taken";

const endedTask = /^(?:completed|failed|killed|stopped)$/;

/**
 * Derives from the lines alone whether the agent works, what runs in the background, and which
 * prompts were sent.
 */
export class TurnTracker {
  readonly #prompts = new Map<string, PromptState>();
  /** Work in the background, by the id of its task. */
  readonly #tasks = new Set<string>();
  /** Subagents that the main agent waits for; they end with its turn. */
  readonly #foreground = new Set<string>();
  #echoesPrompts = false;
  #inTurn = false;
  #lastResult: ResultMessage | undefined;
  #onIdle: (() => void)[] = [];

  /** Called before a prompt is sent. */
  onPrompt(uuid: string): void {
    this.#prompts.set(uuid, "sent");
    this.#inTurn = true;
  }

  /** Called when a prompt could not be sent. */
  onPromptFailed(uuid: string): void {
    this.#prompts.delete(uuid);
  }

  /** Whether a turn runs or a prompt was sent that the agent has not finished. */
  get isInTurn(): boolean {
    return this.#inTurn;
  }

  /** How the last turn ended. */
  get lastResult(): ResultMessage | undefined {
    return this.#lastResult;
  }

  /** Whether the agent has nothing left to do: no turn, no waiting prompt, no background work. */
  get isIdle(): boolean {
    return !this.#inTurn && this.#prompts.size === 0 && this.#tasks.size === 0;
  }

  /** Settles with the end of the next turn. */
  waitForResult(): Promise<void> {
    return new Promise((resolve) => this.#onIdle.push(resolve));
  }

  onLine(line: Decoded): void {
    if (line.kind !== "known") {
      // A result in an unknown shape still ends its turn.
      if (line.kind !== "noise" && line.type === "result") this.#onResult();
      return;
    }
    const { message } = line;
    if (message.type === "result") this.#onResult(message);
    else if (message.type === "user") this.#onUserMessage(message["uuid"]);
    else if (message.type === "system") this.#onSystemMessage(message);
  }

  #onResult(message?: ResultMessage): void {
    this.#inTurn = false;
    this.#lastResult = message;
    // Without echoed prompts it is not known which of them the agent has read.
    for (const [uuid, state] of this.#prompts) {
      if (state === "taken" || !this.#echoesPrompts) this.#prompts.delete(uuid);
    }
    for (const resolve of this.#onIdle.splice(0)) resolve();
  }

  #onUserMessage(uuid: unknown): void {
    if (typeof uuid !== "string" || !this.#prompts.has(uuid)) return;
    this.#echoesPrompts = true;
    this.#prompts.set(uuid, "taken");
  }

  #onSystemMessage(message: SystemMessage): void {
    switch (message.subtype) {
      case "init":
        this.#inTurn = true; // a turn may begin without a prompt
        return;
      case "task_started":
        if (message["is_backgrounded"] === false) this.#foreground.add(message.task_id);
        else this.#tasks.add(message.task_id);
        return;
      case "task_updated":
        return this.#onTaskUpdated(message.task_id, message["patch"]);
      case "task_notification":
        this.#tasks.delete(message.task_id);
        this.#foreground.delete(message.task_id);
        return;
      case "background_tasks_changed":
        return this.#onTaskList(message.tasks.map(({ task_id }) => task_id));
      default:
        return;
    }
  }

  #onTaskUpdated(task: string, patch: unknown): void {
    if (!isObject(patch)) return;
    if (patch["is_backgrounded"] === true) {
      this.#foreground.delete(task);
      this.#tasks.add(task);
    }
    if (endedTask.test(String(patch["status"]))) this.#tasks.delete(task);
  }

  #onTaskList(listed: readonly string[]): void {
    this.#tasks.clear();
    for (const task of listed) if (!this.#foreground.has(task)) this.#tasks.add(task);
  }
}
