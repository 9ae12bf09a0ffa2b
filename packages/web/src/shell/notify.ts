export interface News {
  readonly title: string;
  readonly body: string;
  /** The same news again takes the place of the first. */
  readonly tag: string;
  readonly onClick: () => void;
}

/** A notification of the browser's, if it was allowed; asking for that is the settings' alone. */
export function notify({ title, body, tag, onClick }: News): void {
  if (typeof Notification === "undefined" || Notification.permission !== "granted") return;
  let note: Notification;
  try {
    note = new Notification(title, { body, tag });
  } catch {
    return; // Chrome on Android has the class and refuses to make one outside a service worker
  }
  note.addEventListener("click", () => {
    window.focus();
    onClick();
    note.close();
  });
}
