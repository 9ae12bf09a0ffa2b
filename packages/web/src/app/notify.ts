import { go, parseRoute } from "../navigation/router.ts";

interface NotificationContent {
  readonly title: string;
  readonly body: string;
  /** The same news again takes the place of the first. */
  readonly tag: string;
  /** The place of the page that it leads to. */
  readonly path: string;
}

/**
 * A notification of the browser's, if it was allowed; asking for that is the settings' alone. By the
 * service worker where there is one: Chrome on Android has the class and refuses to make one elsewhere.
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
    // No way is left to tell it; the title and the icon do.
  }
}

/** Goes where a notification leads that the service worker showed. Returns how to stop. */
export function handleNotificationClicks(): () => void {
  const follow = ({ data }: MessageEvent<unknown>) => {
    const path = (data as { goTo?: unknown } | null)?.goTo;
    if (typeof path === "string" && parseRoute(path).page === "session") go(path);
  };
  navigator.serviceWorker?.addEventListener("message", follow);
  return () => navigator.serviceWorker?.removeEventListener("message", follow);
}
