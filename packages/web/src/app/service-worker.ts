import type { HubClient } from "@signalbox/client";
import { trustedScript } from "../browser/trusted-script.ts";

/**
 * Lets the page open while the hub is away. A browser that cannot do that goes without. A hub that goes
 * away while its files are being kept leaves nothing kept: whenever it is back, that is tried again.
 */
export function registerServiceWorker(client: HubClient): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  void register();
  client.onState(() => {
    if (client.state.kind === "live") void register();
  });
}

async function register(): Promise<void> {
  try {
    const held = await navigator.serviceWorker.getRegistration("/");
    if (held?.active ?? held?.waiting ?? held?.installing) return;
    await navigator.serviceWorker.register(trustedScript("/service-worker.js"));
  } catch {
    // In a private window, for one: the page then needs its hub to open.
  }
}
