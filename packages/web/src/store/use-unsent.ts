import { useMemo, useSyncExternalStore } from "react";
import { useBoard, useUnsent } from "./use-hub.ts";
import { useWorld } from "./app-context.tsx";
import { type NotSent, notSent } from "./unsent.ts";

/** What was written here and is not with the hub; the same until that changes. */
export function useNotSent(): NotSent {
  const { drafts } = useWorld();
  const messages = useUnsent();
  const sessions = useBoard((view) => (view.state === "ready" ? view.sessions : undefined));
  const names = useSyncExternalStore(drafts.subscribe, () => drafts.names().join("\n"));
  return useMemo(() => notSent(messages, names.split("\n"), sessions), [messages, names, sessions]);
}
