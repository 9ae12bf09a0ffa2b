import type { LineView } from "@signalbox/api";
import type { Item } from "@signalbox/timeline";
import { Refusal } from "../engine.ts";
import type { LineRow, Store } from "../store/store.ts";
import { isFileChange, getJsonSuffix } from "./file-changes.ts";
import type { Sessions } from "../session/sessions.ts";

/** Items that name a file, among which those are that changed it. */
const MAX_CANDIDATES = 5000;

/** What was said: items, and the log they are made of. */
export class HistoryReader {
  readonly #store: Store;
  readonly #sessions: Sessions;

  constructor(store: Store, sessions: Sessions) {
    this.#store = store;
    this.#sessions = sessions;
  }

  async items(session: string, before: number | undefined, limit: number): Promise<Item[]> {
    await this.#sessions.get(session).loadIngest();
    const rows = await this.#store.itemsBefore(session, before, limit);
    return rows.map(({ json }) => JSON.parse(json) as Item);
  }

  /** The newest calls that changed a file, in their order. */
  async changes(session: string, path: string, limit: number): Promise<Item[]> {
    await this.#sessions.get(session).loadIngest();
    const rows = await this.#store.itemsContaining(session, getJsonSuffix(path), MAX_CANDIDATES);
    const items = rows.map(({ json }) => JSON.parse(json) as Item);
    return items.filter((item) => isFileChange(item, path)).slice(-limit);
  }

  async item(session: string, id: string): Promise<Item> {
    const growing = (await this.#sessions.get(session).loadIngest()).findGrowingItem(id);
    if (growing) return growing;
    const row = await this.#store.item(session, id);
    if (row) return JSON.parse(row.json) as Item;
    throw new Refusal(404, "no-such-item", "There is no such item in this session.");
  }

  async lines(
    session: string,
    { after, before, limit }: { after?: number; before?: number; limit: number },
  ): Promise<LineView[]> {
    this.#sessions.get(session);
    if (after === undefined) {
      return (await this.#store.linesBefore(session, before, limit)).map(toLineView);
    }
    const rows = await this.#store.linesAfter(session, after, limit);
    return rows.filter(({ pos }) => before === undefined || pos < before).map(toLineView);
  }
}

function toLineView(row: LineRow): LineView {
  const { pos, seq, run, from, at, text, droppedBytes, textBlob, originalBlob } = row;
  const flaws = {
    ...(droppedBytes !== null && { droppedBytes }),
    ...(originalBlob !== null && { original: originalBlob }),
  };
  return {
    pos,
    seq,
    run,
    from,
    at,
    ...(textBlob === null ? { text } : { blob: textBlob }),
    ...(Object.keys(flaws).length > 0 && { flaws }),
  };
}
