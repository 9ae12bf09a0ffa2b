import { signal } from "./signal.ts";

/** The session to which a message was sent last from this page, and how many were sent before it. */
export const sentMessage = signal<{ readonly session: string; readonly nth: number } | undefined>(
  undefined,
);

/** Lets the conversation of a session scroll to what was just sent. */
export function announceSentMessage(session: string): void {
  sentMessage.set({ session, nth: (sentMessage.get()?.nth ?? 0) + 1 });
}
