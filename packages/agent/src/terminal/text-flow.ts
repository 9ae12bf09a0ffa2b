import { isObject, type JsonObject } from "@signalbox/protocol/wire";
import { isSubagents } from "./screen.ts";
import { wrap } from "./wrap.ts";

/**
 * Shows the model's text as it streams, in whole lines of the terminal's width, each as soon as it
 * is full.
 */
export class TextFlow {
  readonly #columns: () => number;
  readonly #say: (line: string) => void;
  #rest = "";
  #hasSaid = false;

  constructor(columns: () => number, say: (line: string) => void) {
    this.#columns = columns;
    this.#say = say;
  }

  take(line: JsonObject): void {
    if (line["type"] !== "stream_event" || isSubagents(line)) return;
    const { event } = line;
    if (!isObject(event)) return;
    if (event["type"] === "message_start") this.end(); // An answer that was cut starts again.
    const { delta } = event;
    if (!isObject(delta) || delta["type"] !== "text_delta") return;
    this.#hasSaid = true;
    this.#add(String(delta["text"]));
  }

  /** Writes the rest of the text. Returns whether anything was written since the last time. */
  end(): boolean {
    const hasSaid = this.#hasSaid;
    if (this.#rest !== "") this.#say(this.#rest);
    this.#rest = "";
    this.#hasSaid = false;
    return hasSaid;
  }

  #add(text: string): void {
    const lines = wrap(this.#rest + text, this.#columns()).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#say(line);
  }
}
