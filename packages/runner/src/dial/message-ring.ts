import { parseObject } from "@signalbox/protocol";
import { isObject } from "@signalbox/protocol/wire";

/** What Claude Code itself keeps to say again after a reconnect. */
const KEPT = 1000;
const ANSWER = '{"type":"control_response"';

/** The last messages that went to a relay which acknowledges nothing: they are said again. */
export class MessageRing {
  #messages: { readonly line: string; readonly request: unknown }[] = [];
  /** The uuid of the last message that has one. */
  lastUuid: string | undefined;

  push(line: string): void {
    const body = parseObject(line);
    const request =
      typeof body !== "string" && body["type"] === "control_request"
        ? body["request_id"]
        : undefined;
    this.#messages.push({ line, request });
    if (this.#messages.length > KEPT) this.#messages.shift();
    if (typeof body !== "string" && typeof body["uuid"] === "string") this.lastUuid = body["uuid"];
  }

  /** A request that was answered is not made again: it has no uuid by which it would be recognised. */
  rememberDelivered(line: string): void {
    const body = line.startsWith(ANSWER) ? parseObject(line) : "";
    const response = typeof body === "string" ? undefined : body["response"];
    const answered = isObject(response) ? response["request_id"] : undefined;
    if (typeof answered !== "string") return;
    this.#messages = this.#messages.filter(({ request }) => request !== answered);
  }

  get messages(): readonly string[] {
    return this.#messages.map(({ line }) => line);
  }
}
