import { connect, copyBoard, type HubClient } from "@signalbox/client";
import { Copies } from "../storage/copies.ts";
import {
  type Credential,
  deviceCredential,
  forgetAll,
  readCredential,
} from "../storage/credential.ts";
import type { Database } from "../storage/database.ts";
import { keepWelcomedHeads } from "../storage/audit-heads.ts";
import { forgetLastLive, keepLastLive, readLastLive } from "../storage/last-live.ts";
import { keptMessages } from "../storage/outbox-storage.ts";
import { tellingFetch } from "./upload-fetch.ts";
import { setHubClock } from "./clock.ts";
import { Drafts } from "./drafts.ts";
import { askWrittenIn } from "../browser/typing.ts";
import { askOf } from "./use-form-draft.ts";
import { everyWhile } from "./throttle.ts";
import { Toasts } from "./toasts.ts";
import type { World } from "./app-context.tsx";

const KEEP_MS = 1000;

/** The hub is where the page came from, and nowhere else (C9). */
export async function openWorld(database: Database, credential: Credential): Promise<World> {
  const client = connect({
    url: location.origin,
    // Another tab may have paired again: the database knows.
    credentials: {
      get: async () => {
        const now = await readCredential(database);
        return now && deviceCredential(now);
      },
    },
    outbox: keptMessages(database, new BroadcastChannel("signalbox.outbox")),
    fetch: tellingFetch,
  });
  keepWelcomedHeads(client, database);
  client.onState(() => setHubClock(client.clockAheadMs));
  const lastLive = readLastLive();
  keepLastLive(client);
  const copies = new Copies(database);
  const drafts = await Drafts.open(database, new BroadcastChannel("signalbox.drafts"));
  window.addEventListener("pagehide", () => drafts.flush());
  const board = client.watchBoard(await copies.board().catch(() => undefined));
  board.subscribe(
    // Also when the hub has gone away meanwhile: what was seen last is what offline needs.
    everyWhile(KEEP_MS, () => {
      const copy = copyBoard(board.view);
      if (copy) void copies.keepBoard(copy, Date.now()).catch(() => undefined);
    }),
  );
  void forgetAnswered(client, drafts).catch(() => undefined); // the next page tries again
  board.subscribe(() => {
    const over = new Set(board.view.closedAsks.map(({ id }) => id));
    // Not while somebody still writes: the field stays until it is left.
    const written = askWrittenIn();
    drafts.forget((name) => over.has(askOf(name) ?? "") && askOf(name) !== written);
  });
  return {
    client,
    board,
    database,
    copies,
    drafts,
    toasts: new Toasts(),
    credential,
    lastLive,
    async leave() {
      // A hub that is away or has forgotten us cannot be told; this browser forgets all the same.
      await client.revokeDevice(credential.device.id).catch(() => undefined);
      client.close();
      copies.close();
      forgetLastLive();
      await forgetAll(database);
    },
  };
}

/** What was written about asks that somebody else answered while no page was open. */
async function forgetAnswered(client: HubClient, drafts: Drafts): Promise<void> {
  const begun = new Set(drafts.names().flatMap((name) => askOf(name) ?? []));
  if (begun.size === 0) return;
  for (const { id } of await client.asks()) begun.delete(id);
  drafts.forget((name) => begun.has(askOf(name) ?? ""));
}
