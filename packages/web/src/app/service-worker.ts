import type { HubClient } from "@signalbox/client";
import { trustedScript } from "../browser/trusted-script.ts";

/**
 * Registers the service worker, which lets the page open while the hub is unreachable. Registration is tried
 * again whenever the hub is back, since the hub may go away while the files are being cached.
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
    const registration = await navigator.serviceWorker.getRegistration("/");
    if (registration?.active ?? registration?.waiting ?? registration?.installing) return;
    await navigator.serviceWorker.register(trustedScript("/service-worker.js"));
  } catch {
    // Service workers may be unavailable, for example in private windows. The page then needs the hub to
    // open.
  }
}
