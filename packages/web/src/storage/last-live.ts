import type { HubClient } from "@signalbox/client";

/** A time is no secret, and the page's end leaves no time for the database. */
const KEY = "signalbox.last-live";
const SAVE_MS = 10_000;

/** When this browser was last live with its hub, as an earlier page has kept it. */
export function readLastLive(): number | undefined {
  try {
    const kept = Number(localStorage.getItem(KEY) ?? undefined);
    return Number.isFinite(kept) ? kept : undefined;
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
      // A browser that keeps nothing: the next page counts from its own beginning.
    }
  };
  client.onState(keep);
  setInterval(keep, SAVE_MS); // a browser may end without a word
  window.addEventListener("pagehide", keep);
}

export function clearLastLive(): void {
  localStorage.removeItem(KEY);
}
