import { parseObject } from "@signalbox/protocol";

/** What Claude Code itself keeps to say again after a reconnect. */
const KEPT = 1000;

/** The last messages that went to a relay which acknowledges nothing: they are said again. */
export class Ring {
  readonly #messages: string[] = [];
  /** The uuid of the last message that has one. */
  lastUuid: string | undefined;

  push(line: string): void {
    this.#messages.push(line);
    if (this.#messages.length > KEPT) this.#messages.shift();
    const body = parseObject(line);
    if (typeof body !== "string" && typeof body["uuid"] === "string") this.lastUuid = body["uuid"];
  }

  get messages(): readonly string[] {
    return this.#messages;
  }
}
