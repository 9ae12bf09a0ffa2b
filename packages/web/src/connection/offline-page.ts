import { trustedScript } from "../markdown/highlight/trusted.ts";

/** Lets the page open while the hub is away. A browser that cannot do that goes without. */
export async function keepPageOffline(): Promise<void> {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  try {
    await navigator.serviceWorker.register(trustedScript("/service-worker.js"));
  } catch {
    // In a private window, for one: the page then needs its hub to open.
  }
}
