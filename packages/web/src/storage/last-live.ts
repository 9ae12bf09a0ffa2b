import type { HubClient } from "@signalbox/client";

/** Kept in localStorage, because the database is too slow while the page is closing. */
const KEY = "signalbox.last-live";
const SAVE_MS = 10_000;

/** When an earlier page was last connected to the hub. */
export function readLastLive(): number | undefined {
  try {
    const storedTime = Number(localStorage.getItem(KEY) ?? undefined);
    return Number.isFinite(storedTime) ? storedTime : undefined;
  } catch {
    return undefined;
  }
}

export function trackLastLive(client: Pick<HubClient, "state" | "onState">): void {
  let live = false;
  const keep = () => {
    if (!live && client.state.kind !== "live") return;
    live = client.state.kind === "live";
    try {
      localStorage.setItem(KEY, String(Date.now()));
    } catch {
      // Storage is not available; the next page starts counting from its own start.
    }
  };
  client.onState(keep);
  setInterval(keep, SAVE_MS); // The browser may be killed at any time.
  window.addEventListener("pagehide", keep);
}

export function clearLastLive(): void {
  localStorage.removeItem(KEY);
}
