/** The thread that keeps the search index and runs searches, so that neither stalls the hub. */
import { errorMessage } from "@signalbox/protocol/text";
import type { Database } from "bun:sqlite";
import { openForReading } from "../store/database.ts";
import { Indexer } from "./indexer.ts";
import { QueryRunner, type SearchHits, type SearchRequest } from "./run-query.ts";
import { openSearchDatabase } from "./search-database.ts";

export type ToSearch =
  | { readonly open: { readonly index: string; readonly store: string; readonly epoch: string } }
  | { readonly changed: readonly string[] }
  | { readonly removed: string }
  | { readonly id: number; readonly request: SearchRequest }
  | { readonly close: true };

export type FromSearch =
  | { readonly opened: true }
  | { readonly failed: string }
  /** So many sessions are not in the index completely. */
  | { readonly pending: number }
  | { readonly id: number; readonly result: SearchHits }
  | { readonly id: number; readonly failure: string }
  | { readonly closed: true };

const send = (message: FromSearch) => postMessage(message);
const pending = new Set<string>();
let open: OpenIndex | undefined;
let isIndexing = false;

interface OpenIndex {
  readonly index: Database;
  readonly store: Database;
  readonly indexer: Indexer;
  readonly queries: QueryRunner;
}

addEventListener("message", ({ data }: MessageEvent<ToSearch>) => {
  if ("open" in data) openIndex(data.open);
  else if ("changed" in data) addPending(data.changed);
  else if ("removed" in data) removeSession(data.removed);
  else if ("request" in data) answer(data.id, data.request);
  else close();
});

function openIndex({ index: file, store: storeFile, epoch }: { [key: string]: string }): void {
  try {
    const index = openSearchDatabase(file ?? "", epoch ?? "");
    const store = openForReading(storeFile ?? "");
    const indexer = new Indexer(index, store);
    open = { index, store, indexer, queries: new QueryRunner(index) };
    send({ opened: true });
    const { changed, gone } = indexer.listStale();
    for (const session of gone) indexer.removeSession(session);
    addPending(changed);
  } catch (error) {
    send({ failed: errorMessage(error) });
  }
}

function addPending(sessions: readonly string[]): void {
  for (const session of sessions) pending.add(session);
  send({ pending: pending.size });
  if (isIndexing || pending.size === 0) return;
  isIndexing = true;
  setTimeout(indexNext);
}

/** One batch at a time: a search that waits is answered between two batches. */
function indexNext(): void {
  const [session] = pending;
  if (!open || session === undefined) {
    isIndexing = false;
    send({ pending: 0 });
    return;
  }
  try {
    if (!open.indexer.indexBatch(session)) pending.delete(session);
  } catch (error) {
    pending.delete(session);
    send({ failed: errorMessage(error) });
  }
  setTimeout(indexNext);
}

function removeSession(session: string): void {
  pending.delete(session);
  try {
    open?.indexer.removeSession(session);
  } catch (error) {
    send({ failed: errorMessage(error) });
  }
}

function answer(id: number, request: SearchRequest): void {
  try {
    if (!open) throw new Error("the index is not open");
    send({ id, result: open.queries.run(request) });
  } catch (error) {
    send({ id, failure: errorMessage(error) });
  }
}

function close(): void {
  open?.queries[Symbol.dispose]();
  open?.indexer[Symbol.dispose]();
  open?.store.close();
  open?.index.close();
  open = undefined;
  send({ closed: true });
}
