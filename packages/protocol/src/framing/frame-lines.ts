import { DEFAULT_LINE_LIMIT } from "./line-splitter.ts";

/**
 * Text frames → lines. A frame may hold several lines, and a line may come in several frames. What has
 * no line feed at its end is whole when it is a JSON object: nothing could follow it on its line.
 */
export class FrameLines {
  #rest = "";

  /** Undefined: a line has grown beyond every measure. */
  take(text: string): string[] | undefined {
    const pieces = (this.#rest + text).split("\n");
    this.#rest = pieces.pop() ?? "";
    if (isObject(this.#rest)) pieces.push(this.#take());
    if (this.#rest.length > DEFAULT_LINE_LIMIT) return undefined;
    return pieces.map((line) => line.replace(/\r$/, "")).filter((line) => line !== "");
  }

  /** The connection is over: half a line is none. */
  reset(): void {
    this.#rest = "";
  }

  #take(): string {
    const line = this.#rest;
    this.#rest = "";
    return line;
  }
}

function isObject(text: string): boolean {
  if (!text.startsWith("{") || !text.trimEnd().endsWith("}")) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
