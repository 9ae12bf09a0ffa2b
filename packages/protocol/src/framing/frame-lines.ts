import { DEFAULT_LINE_LIMIT } from "./line-splitter.ts";

/**
 * Turns text frames into lines. A frame may hold several lines, and a line may be spread over
 * several frames. Text at the end of a frame without a line feed is a whole line if it parses as a
 * JSON object, because nothing could follow the object on its line.
 */
export class FrameLines {
  #unfinished = "";

  /**
   * Adds a frame and returns the lines it completes, or undefined when a line is longer than the
   * limit.
   */
  push(text: string): string[] | undefined {
    const pieces = (this.#unfinished + text).split("\n");
    this.#unfinished = pieces.pop() ?? "";
    if (isObject(this.#unfinished)) pieces.push(this.#takeUnfinished());
    if (this.#unfinished.length > DEFAULT_LINE_LIMIT) return undefined;
    return pieces.map((line) => line.replace(/\r$/, "")).filter((line) => line !== "");
  }

  /** Discards an unfinished line when the connection ends. */
  reset(): void {
    this.#unfinished = "";
  }

  #takeUnfinished(): string {
    const line = this.#unfinished;
    this.#unfinished = "";
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
