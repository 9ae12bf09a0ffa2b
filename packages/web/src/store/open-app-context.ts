import { connect, copyBoard, type HubClient } from "@signalbox/client";
import { ViewCache } from "../storage/view-cache.ts";
import {
  type Credential,
  toDeviceCredential,
  clearStorage,
  readCredential,
} from "../storage/credential.ts";
import type { Database } from "../storage/database.ts";
import { saveAuditHeads } from "../storage/audit-heads.ts";
import { trackHidden } from "./hidden-since.ts";
import { clearLastLive, trackLastLive, readLastLive } from "../storage/last-live.ts";
import { createOutboxStorage } from "../storage/outbox-storage.ts";
import { uploadFetch } from "./upload-fetch.ts";
import { setHubClockOffset } from "./clock.ts";
import { DraftSync } from "./draft-sync.ts";
import { Drafts } from "./drafts.ts";
import { findFocusedAsk } from "../browser/typing.ts";
import { parseAskDraftName } from "./use-form-draft.ts";
import { throttle } from "./throttle.ts";
import { Toasts } from "./toasts.ts";
import { type AppContext, getDevice } from "./app-context.tsx";

const SAVE_INTERVAL_MS = 1000;
/** A draft is saved at the hub after a pause in typing of this length. */
const TYPING_PAUSE_MS = 500;

/** Connects to the hub that served the page, and to no other (C9). */
export async function openAppContext(
  database: Database,
  credential: Credential,
): Promise<AppContext> {
  const client = connect({
    url: location.origin,
    // Another tab may have paired again, so the credential is read from the database each time.
    credentials: {
      get: async () => {
        const now = await readCredential(database);
        return now && toDeviceCredential(now);
      },
    },
    outbox: createOutboxStorage(database, new BroadcastChannel("signalbox.outbox")),
    fetch: uploadFetch,
    isVisible: () => document.visibilityState === "visible",
  });
  saveAuditHeads(client, database);
  client.onState(() => setHubClockOffset(client.clockAheadMs));
  const lastLive = readLastLive();
  trackLastLive(client);
  trackHidden();
  const viewCache = new ViewCache(database);
  const drafts = await Drafts.open(database, new BroadcastChannel("signalbox.drafts"));
  window.addEventListener("pagehide", () => drafts.flush());
  const draftSync = new DraftSync(drafts, {
    isLive: () => client.state.kind === "live" || client.state.kind === "catching-up",
    onState: (listener) => client.onState(listener),
    onDraft: (listener) => client.onDraft(listener),
    drafts: () => client.drafts(),
    saveDraft: (draft) => client.saveDraft(draft),
    getDevice: () => getDevice({ client, pairedDevice: credential.device }).id,
    afterPause: (run) => {
      const timer = setTimeout(run, TYPING_PAUSE_MS);
      return () => clearTimeout(timer);
    },
  });
  const board = client.watchBoard(await viewCache.board().catch(() => undefined));
  board.subscribe(
    // Also saved while the hub is unreachable, because that is when it is needed.
    throttle(SAVE_INTERVAL_MS, () => {
      const copy = copyBoard(board.view);
      if (copy) void viewCache.saveBoard(copy, Date.now()).catch(() => undefined);
    }),
  );
  void discardAnsweredDrafts(client, drafts).catch(() => undefined); // The next page tries again.
  board.subscribe(() => {
    const over = new Set(board.view.closedAsks.map(({ id }) => id));
    // A draft that is being typed stays until its field is left.
    const written = findFocusedAsk();
    drafts.forget(
      (name) => over.has(parseAskDraftName(name) ?? "") && parseAskDraftName(name) !== written,
    );
  });
  return {
    client,
    board,
    database,
    viewCache,
    drafts,
    draftSync,
    toasts: new Toasts(),
    pairedDevice: credential.device,
    lastLive,
    async leave() {
      // The hub may be unreachable; the browser forgets everything regardless.
      await client.revokeDevice(credential.device.id).catch(() => undefined);
      client.close();
      viewCache.close();
      clearLastLive();
      await clearStorage(database);
    },
  };
}

/** Removes drafts for asks that were answered while no page was open. */
async function discardAnsweredDrafts(client: HubClient, drafts: Drafts): Promise<void> {
  const begun = new Set(drafts.names().flatMap((name) => parseAskDraftName(name) ?? []));
  if (begun.size === 0) return;
  for (const { id } of await client.asks()) begun.delete(id);
  drafts.forget((name) => begun.has(parseAskDraftName(name) ?? ""));
}
