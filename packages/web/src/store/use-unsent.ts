import { useMemo, useSyncExternalStore } from "react";
import { useBoard, useUnsent } from "./use-hub.ts";
import { useAppContext } from "./app-context.tsx";
import { type UnsentContent, collectUnsent } from "./unsent.ts";

/** Unsent messages and drafts. The same object until they change. */
export function useUnsentContent(): UnsentContent {
  const { drafts } = useAppContext();
  const messages = useUnsent();
  const sessions = useBoard((view) => (view.state === "ready" ? view.sessions : undefined));
  const names = useSyncExternalStore(drafts.subscribe, () => drafts.names().join("\n"));
  return useMemo(
    () => collectUnsent(messages, names.split("\n"), sessions),
    [messages, names, sessions],
  );
}
