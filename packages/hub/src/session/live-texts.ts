import { LATER_MS, LIVE_MS } from "./live-text.ts";
import type { Session } from "./session.ts";

/**
 * Text of sessions that are writing is told together, at most every 33 ms: with the line that comes when
 * these are over, or soon after when none does. To be woken for it costs more than the telling.
 */
export class LiveTexts {
  readonly #growing = new Set<Session>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #toldAt = 0;

  growsIn(session: Session): void {
    this.#growing.add(session);
    const passed = performance.now() - this.#toldAt;
    if (passed >= LIVE_MS) this.#tell();
    else this.#timer ??= setTimeout(() => this.#tell(), LIVE_MS + LATER_MS - passed);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #tell(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#toldAt = performance.now();
    const growing = [...this.#growing];
    this.#growing.clear();
    for (const session of growing) session.tellText();
  }
}
