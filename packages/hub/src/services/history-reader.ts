import type { AgentAbilities, LineView, OutputTail } from "@signalbox/api";
import type { Item } from "@signalbox/timeline";
import { HubRefusal } from "../refusal.ts";
import type { LineRow, Store } from "../store/store.ts";
import { isFileChange, getJsonSuffix } from "./file-changes.ts";
import type { Sessions } from "../session/sessions.ts";
import type { Machines } from "./machines.ts";
import { getOutputPath } from "./output-path.ts";
import { readAbilities } from "./read-abilities.ts";
import { readIntroduction } from "./read-introduction.ts";

/** How many items that mention a file are read to find those that changed it. */
const MAX_CANDIDATES = 5000;
/** How long the items of an imported session wait for what is not copied yet. */
const MAX_COPY_WAIT_MS = 5000;

/** Reads a session's history: its items, and the log that they are made from. */
export class HistoryReader {
  readonly #store: Store;
  readonly #sessions: Sessions;
  readonly #machines: Machines;

  readonly #copyNow: (session: string) => Promise<void>;

  /** `copyNow` copies what is missing of a session that was imported. */
  constructor(
    store: Store,
    sessions: Sessions,
    machines: Machines,
    copyNow: (session: string) => Promise<void>,
  ) {
    this.#copyNow = copyNow;
    this.#store = store;
    this.#sessions = sessions;
    this.#machines = machines;
  }

  async listItems(session: string, before: number | undefined, limit: number): Promise<Item[]> {
    await this.#sessions.get(session).loadIngest();
    await Promise.race([this.#copyNow(session), Bun.sleep(MAX_COPY_WAIT_MS)]);
    const rows = await this.#store.itemsBefore(session, before, limit);
    return rows.map(({ json }) => JSON.parse(json) as Item);
  }

  /** The newest calls that changed a file, oldest first. */
  async listFileChanges(session: string, path: string, limit: number): Promise<Item[]> {
    await this.#sessions.get(session).loadIngest();
    const rows = await this.#store.itemsContaining(session, getJsonSuffix(path), MAX_CANDIDATES);
    const items = rows.map(({ json }) => JSON.parse(json) as Item);
    return items.filter((item) => isFileChange(item, path)).slice(-limit);
  }

  async getItem(session: string, id: string): Promise<Item> {
    const growing = (await this.#sessions.get(session).loadIngest()).findGrowingItem(id);
    if (growing) return growing;
    const row = await this.#store.item(session, id);
    if (row) return JSON.parse(row.json) as Item;
    throw new HubRefusal(404, "no-such-item", "This item was not found in the session.");
  }

  async listLines(
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

  async getAbilities(session: string): Promise<AgentAbilities> {
    return readAbilities(await readIntroduction((range) => this.listLines(session, range)));
  }

  /** The end of the output that a background command has printed so far. */
  async readTaskOutput(session: string, item: string): Promise<OutputTail> {
    const { runner } = this.#sessions.get(session).row;
    const path = getOutputPath(await this.getItem(session, item));
    return (await this.#machines.sendOrder(runner, { kind: "read-output", path })) as OutputTail;
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
