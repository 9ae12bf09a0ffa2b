import type { ChangeKeyAction } from "../keys/key-table.ts";

/** Does in the view of changes what a key stands for. */
type Handler = (action: ChangeKeyAction) => void;

const handlers = new Map<string, Handler>();

/** Registers the view of changes of a session. Returns a function that removes it again. */
export function registerChangeKeys(session: string, handler: Handler): () => void {
  handlers.set(session, handler);
  return () => {
    if (handlers.get(session) === handler) handlers.delete(session);
  };
}

/** Does what a key stands for. Returns whether the view of changes is shown. */
export function requestChangeKey(session: string, action: ChangeKeyAction): boolean {
  const handler = handlers.get(session);
  handler?.(action);
  return handler !== undefined;
}
