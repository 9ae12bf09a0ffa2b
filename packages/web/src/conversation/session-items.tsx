import { type ReactNode, useMemo } from "react";
import { findKnownLine } from "../items/diff/known-lines.ts";
import { ItemsProvider } from "../items/items-provider.tsx";
import type { ItemServices } from "../items/parts/items-context.tsx";
import {
  type SessionHandle,
  useCallAsk,
  useChildren,
  useWatchValue,
} from "../store/use-session-handle.ts";
import { useAsks, useDevice, useSession } from "../store/use-hub.ts";
import type { DisplayItemOfKind } from "../text/body.ts";
import { TurnActions } from "./turn-actions.tsx";
import { turnDuration } from "./turn-duration.ts";
import { useAppContext } from "../store/app-context.tsx";

interface Props {
  readonly id: string;
  readonly handle: SessionHandle;
  readonly children: ReactNode;
}

/** Provides what the views of a session's items need. */
export function SessionItems({ id, handle, children }: Props) {
  return <ItemsProvider value={useSessionItemServices(id, handle)}>{children}</ItemsProvider>;
}

/** The services for item views. The same object for as long as the session is shown. */
function useSessionItemServices(id: string, handle: SessionHandle): ItemServices {
  const { client } = useAppContext();
  const folder = useSession(id)?.folder;
  const deviceName = useDevice().name;
  return useMemo(
    () => ({
      loadBody: async (hash: string) => (await client.blob(hash)).text(),
      useChildren: (callId: string) => useChildren(handle, callId),
      folds: new Map<string, boolean>(),
      readOutput: (item: string) => client.taskOutput(id, item),
      useTaskRuns: (task: string) =>
        useSession(id)?.summary.tasks.some(({ taskId }) => taskId === task) ?? false,
      useTodo: (todo: string) =>
        useSession(id)?.summary.todos.find((each) => each.id === todo)?.description,
      useCallAsk: (callId: string) => useCallAsk(handle, callId),
      useTurnDuration: (turnEnd: string) =>
        useWatchValue(handle, () => turnDuration(handle.watch.view, turnEnd)),
      TurnActions: ({ item }: { item: DisplayItemOfKind<"turn-end"> }) => (
        <TurnActions session={id} handle={handle} item={item} />
      ),
      findLine: (callId: string, path: string, sought: string) =>
        findKnownLine(handle.tree.itemsBefore(callId), path, sought),
      deviceName,
      useDocked: () => useAsks().some(({ session }) => session === id),
      ...(folder !== undefined && { folder }),
    }),
    [client, id, handle, folder, deviceName],
  );
}
