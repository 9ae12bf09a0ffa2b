import { IDLE_DELAY_MS, LIVE_TEXT_INTERVAL_MS } from "./live-text.ts";
import type { Session } from "./session.ts";

/**
 * Sends the growing text of all sessions together, at most every 33 ms: with the next line that arrives after
 * that time, or shortly later if none does. One shared timer is used because waking up costs more than
 * sending.
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
