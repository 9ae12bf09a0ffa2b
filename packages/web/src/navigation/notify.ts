import { go, parseRoute } from "./router.ts";

interface NotificationContent {
  readonly title: string;
  readonly body: string;
  /** A notification with the same tag replaces the earlier one. */
  readonly tag: string;
  /** The path that a click opens. */
  readonly path: string;
}

/**
 * Shows a browser notification if the person has allowed them; only the settings ask for that permission. It
 * goes through the service worker where there is one, because Chrome on Android refuses `new Notification`.
 */
export async function notify({ title, body, tag, path }: NotificationContent): Promise<void> {
  if (typeof Notification === "undefined" || Notification.permission !== "granted") return;
  const worker = await navigator.serviceWorker?.getRegistration().catch(() => undefined);
  if (worker?.active) return worker.showNotification(title, { body, tag, data: { path } });
  try {
    const note = new Notification(title, { body, tag });
    note.addEventListener("click", () => {
      window.focus();
      go(path);
      note.close();
    });
  } catch {
    // Notifications are not available; the tab's title and icon still show that something waits.
  }
}

/**
 * Opens the path of a clicked notification that the service worker showed. Returns a function that stops
 * listening.
 */
export function handleNotificationClicks(): () => void {
  const follow = ({ data }: MessageEvent<unknown>) => {
    const path = (data as { goTo?: unknown } | null)?.goTo;
    if (typeof path === "string" && parseRoute(path).page === "session") go(path);
  };
  navigator.serviceWorker?.addEventListener("message", follow);
  return () => navigator.serviceWorker?.removeEventListener("message", follow);
}
