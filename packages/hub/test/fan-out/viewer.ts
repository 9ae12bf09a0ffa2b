import type { Engine } from "@signalbox/hub/engine";
import type { HubFrame } from "@signalbox/api";
import type { Item } from "@signalbox/timeline";

/** A client that applies every frame, as the client library does. */
export class Viewer {
  readonly items = new Map<string, Item>();
  readonly frames: HubFrame[] = [];
  readonly session: string;
  epoch = "";
  rev = -1;
  live = false;
  /** One who is slow acknowledges nothing until it is told to. */
  slow = false;
  received = 0;
  /** How many pieces of text came with their session and item. */
  whole = 0;
  /** Called when stored items have come, before anything else can. */
  onItems: (() => void) | undefined;
  /** The bytes of what was acknowledged last, and of all. */
  #acknowledged = 0;
  #bytes = 0;
  #most = 0;
  #subscriber: ReturnType<Engine["clients"]["connect"]> | undefined;
  /** Whether it understands `more` and `continued`, as the client library does. */
  readonly #isShort: boolean;
  #lastText: Extract<HubFrame, { type: "text" }> | undefined;

  constructor(session: string, { short = true } = {}) {
    this.session = session;
    this.#isShort = short;
  }

  connect(engine: Engine): this {
    this.live = false;
    this.received = this.#bytes = this.#acknowledged = 0;
    this.#subscriber = engine.clients.connect((text) => this.#apply(text));
    const cursor = { epoch: this.epoch, rev: this.rev };
    this.#lastText = undefined;
    this.#subscriber.watch(this.session, {
      short: this.#isShort,
      ...(this.rev >= 0 && { cursor }),
    });
    return this;
  }

  disconnect(): void {
    this.#subscriber?.close();
    this.#subscriber = undefined;
  }

  acknowledge(): void {
    this.#acknowledged = this.#bytes;
    this.#subscriber?.acknowledge(this.received);
  }

  /** The most bytes that were ever sent to it and not acknowledged. */
  get mostUnacknowledged(): number {
    return this.#most;
  }
  get resets(): number {
    return this.frames.filter((frame) => frame.type === "items" && frame.reset).length;
  }
  /** In the order of the conversation. */
  get list(): Item[] {
    return [...this.items.values()].toSorted((a, b) => a.order - b.order);
  }

  #apply(text: string): void {
    const parsed = JSON.parse(text) as HubFrame | string;
    if (typeof parsed !== "string" && parsed.type === "text") this.whole++;
    const frame = typeof parsed === "string" ? this.#continue(parsed) : parsed;
    this.frames.push(frame);
    this.received += text.length;
    this.#bytes += Buffer.byteLength(text);
    this.#most = Math.max(this.#most, this.#bytes - this.#acknowledged);
    if (frame.type === "items") {
      if (frame.reset) this.items.clear();
      for (const item of frame.items) {
        const at = frame.continued?.[item.id];
        this.items.set(item.id, at === undefined ? item : this.#complete(item, at));
      }
      this.epoch = frame.epoch;
      this.rev = frame.rev;
      this.live ||= !frame.more;
      this.onItems?.();
    } else if (frame.type === "text") {
      this.#lastText = frame;
      this.#grow(frame);
    }
    if (!this.slow) queueMicrotask(() => this.acknowledge());
  }

  #continue(text: string): HubFrame {
    const before = this.#lastText;
    if (!before) throw new Error("text continues nothing");
    return { ...before, at: before.at + before.text.length, text };
  }

  #complete(item: Item, at: number): Item {
    const before = this.items.get(item.id);
    if (item.kind !== "text" || before?.kind !== "text") throw new Error("not a text");
    if (before.text.length < at) throw new Error(`${before.text.length} of ${at} characters`);
    return { ...item, text: before.text.slice(0, at) + item.text };
  }

  #grow({ item: id, at, text }: Extract<HubFrame, { type: "text" }>): void {
    const item = this.items.get(id);
    if (item?.kind === "text" || item?.kind === "thinking") {
      this.items.set(id, { ...item, text: longer(item.text, at, text) });
    } else if (item?.kind === "tool") {
      this.items.set(id, { ...item, inputText: longer(item.inputText ?? "", at, text) });
    }
  }
}

function longer(has: string, at: number, text: string): string {
  if (has.length < at) throw new Error(`a hole in the text, from ${has.length} to ${at}`);
  return has + text.slice(has.length - at);
}
