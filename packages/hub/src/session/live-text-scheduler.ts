import { IDLE_DELAY_MS, LIVE_TEXT_INTERVAL_MS } from "./live-text.ts";
import type { Session } from "./session.ts";

/**
 * Text of sessions that are writing is told together, at most every 33 ms: with the line that comes when
 * these are over, or soon after when none does. To be woken for it costs more than the telling.
 */
export class LiveTextScheduler {
  readonly #growing = new Set<Session>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #publishedAt = 0;

  schedule(session: Session): void {
    this.#growing.add(session);
    const passed = performance.now() - this.#publishedAt;
    if (passed >= LIVE_TEXT_INTERVAL_MS) this.#publish();
    else
      this.#timer ??= setTimeout(
        () => this.#publish(),
        LIVE_TEXT_INTERVAL_MS + IDLE_DELAY_MS - passed,
      );
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #publish(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#publishedAt = performance.now();
    const growing = [...this.#growing];
    this.#growing.clear();
    for (const session of growing) session.publishText();
  }
}
