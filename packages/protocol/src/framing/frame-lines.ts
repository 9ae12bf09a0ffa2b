import { DEFAULT_LINE_LIMIT } from "./line-splitter.ts";

/**
 * Turns text frames into lines. A frame may hold several lines, and a line may be spread over
 * several frames. Text at the end of a frame without a line feed is a whole line if it parses as a
 * JSON object, because nothing could follow the object on its line.
 */
export class FrameLines {
  #rest = "";

  /**
   * Adds a frame and returns the lines it completes, or undefined when a line is longer than the
   * limit.
   */
  take(text: string): string[] | undefined {
    const pieces = (this.#rest + text).split("\n");
    this.#rest = pieces.pop() ?? "";
    if (isObject(this.#rest)) pieces.push(this.#take());
    if (this.#rest.length > DEFAULT_LINE_LIMIT) return undefined;
    return pieces.map((line) => line.replace(/\r$/, "")).filter((line) => line !== "");
  }

  /** Discards an unfinished line when the connection ends. */
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
