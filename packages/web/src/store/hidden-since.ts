import { signal } from "./signal.ts";

/** Since when nobody looked at the page the last time, while it stayed open. */
export const hiddenSince = signal<number | undefined>(undefined);

let leftAt: number | undefined;

/** Notes when the page goes out of sight and tells it when the page is back. */
export function trackHidden(): void {
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") leftAt = Date.now();
    else if (leftAt !== undefined) hiddenSince.set(leftAt);
  });
}
