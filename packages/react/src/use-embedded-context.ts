import type { HubClient } from "@signalbox/client";
import {
  type AppContext,
  Drafts,
  DraftSync,
  memoryDatabase,
  setHubClockOffset,
  Toasts,
  ViewCache,
} from "@signalbox/web/source";
import { useEffect, useState } from "react";

/** What the components share. Undefined until the hub has said which device this is. */
export function useEmbeddedContext(client: HubClient): AppContext | undefined {
  const [context, setContext] = useState<AppContext>();
  useEffect(() => {
    const board = client.watchBoard();
    const noteClock = client.onState(() => setHubClockOffset(client.clockAheadMs));
    let isOver = false;
    const open = async () => {
      const { device } = await client.hub();
      // Nothing is stored in the browser: the storage belongs to the surrounding page.
      const database = memoryDatabase();
      const drafts = new Drafts(database);
      const draftSync = new DraftSync(drafts, createAbsentHub(client, device.id));
      const viewCache = new ViewCache(database);
      const toasts = new Toasts();
      const shared = { client, board, database, viewCache, drafts, draftSync, toasts };
      const leave = () => client.revokeDevice(device.id);
      if (!isOver) setContext({ ...shared, pairedDevice: device, lastLive: undefined, leave });
    };
    open().catch((failure: unknown) => {
      if (!isOver) setContext(() => throwFailure(failure));
    });
    return () => {
      isOver = true;
      setContext(undefined);
      noteClock();
      board.close();
    };
  }, [client]);
  return context;
}

/** Drafts stay in this page and do not follow the person to other devices. */
function createAbsentHub(
  client: HubClient,
  device: string,
): ConstructorParameters<typeof DraftSync>[1] {
  const stay = () => {};
  return {
    isLive: () => false,
    onState: stay,
    onDraft: stay,
    drafts: () => client.drafts(),
    saveDraft: (draft) => client.saveDraft(draft),
    getDevice: () => device,
    afterPause: () => stay,
  };
}

/** Thrown while the provider is rendered, so that the surrounding page's error boundary shows it. */
function throwFailure(failure: unknown): never {
  throw failure;
}
