import { parseObject } from "@signalbox/protocol";

/**
 * Lines out of the frames of one connection: several in a frame, one across frames, and a last one
 * without its line end, if it is a message as it stands.
 */
export class FrameLines {
  #held = "";

  /** The lines that this frame completes. */
  push(frame: string): string[] {
    const parts = (this.#held + frame).split("\n");
    const rest = parts.pop() ?? "";
    const whole = rest !== "" && typeof parseObject(rest) !== "string";
    this.#held = whole ? "" : rest;
    return [...parts, ...(whole ? [rest] : [])].filter((line) => line.trim() !== "");
  }

  /** So many characters wait for their line end. */
  get waiting(): number {
    return this.#held.length;
  }
}
