import { noteSaved } from "./save-state.ts";
import { strings } from "../strings/strings.ts";

/** The object stores of the page's database. */
const STORE_NAMES = ["keys", "outbox", "drafts", "copies"] as const;
type StoreName = (typeof STORE_NAMES)[number];

/** A small key-value database. A value is stored once the promise has resolved. */
export interface Database {
  /** Whether values survive a reload. */
  readonly isPersistent: boolean;
  get<T>(shelf: StoreName, key: string): Promise<T | undefined>;
  all<T>(shelf: StoreName): Promise<readonly T[]>;
  keys(shelf: StoreName): Promise<readonly string[]>;
  put(shelf: StoreName, key: string, value: unknown): Promise<void>;
  remove(shelf: StoreName, key: string): Promise<void>;
  /** Removes everything. */
  clear(): Promise<void>;
}

/** Opens IndexedDB, or a database in memory where the browser stores nothing, as in some private windows. */
export async function openDatabase(): Promise<Database> {
  try {
    return indexedDatabase(await open("signalbox"));
  } catch {
    return memoryDatabase();
  }
}

function open(name: string): Promise<IDBDatabase> {
  const { promise, resolve, reject } = Promise.withResolvers<IDBDatabase>();
  const request = indexedDB.open(name, 1);
  request.addEventListener("upgradeneeded", () => {
    for (const shelf of STORE_NAMES) request.result.createObjectStore(shelf);
  });
  request.addEventListener("success", () => resolve(request.result));
  request.addEventListener("error", () => reject(request.error ?? new Error("no database")));
  request.addEventListener("blocked", () => reject(new Error("another page holds the database")));
  return promise;
}

function indexedDatabase(database: IDBDatabase): Database {
  // A newer version of the page can upgrade the database without waiting for this one to close.
  database.addEventListener("versionchange", () => database.close());
  function read<T>(shelf: StoreName, ask: (store: IDBObjectStore) => IDBRequest): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const request = ask(database.transaction(shelf).objectStore(shelf));
    request.addEventListener("success", () => resolve(request.result as T));
    request.addEventListener("error", () =>
      reject(request.error ?? new Error(strings.parts.couldNotReadStorage)),
    );
    return promise;
  }
  function write(
    shelves: readonly StoreName[],
    change: (store: IDBObjectStore) => void,
  ): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const transaction = database.transaction(shelves, "readwrite", { durability: "strict" });
    for (const shelf of shelves) change(transaction.objectStore(shelf));
    transaction.addEventListener("complete", () => resolve());
    const fail = () => reject(transaction.error ?? new Error(strings.parts.couldNotStore));
    transaction.addEventListener("error", fail);
    transaction.addEventListener("abort", fail);
    return promise;
  }
  return {
    isPersistent: true,
    get: (shelf, key) => read(shelf, (store) => store.get(key)),
    all: (shelf) => read(shelf, (store) => store.getAll()),
    keys: (shelf) => read(shelf, (store) => store.getAllKeys()),
    put: (shelf, key, value) =>
      noteSaved(() => write([shelf], (store) => void store.put(value, key))),
    remove: (shelf, key) => write([shelf], (store) => void store.delete(key)),
    clear: () => write(STORE_NAMES, (store) => void store.clear()),
  };
}

export function memoryDatabase(): Database {
  const shelves = new Map(STORE_NAMES.map((shelf) => [shelf, new Map<string, unknown>()]));
  const on = (shelf: StoreName) => shelves.get(shelf) ?? new Map<string, unknown>();
  return {
    isPersistent: false,
    get: <T>(shelf: StoreName, key: string) => Promise.resolve(on(shelf).get(key) as T | undefined),
    all: <T>(shelf: StoreName) => Promise.resolve([...on(shelf).values()] as T[]),
    keys: (shelf) => Promise.resolve([...on(shelf).keys()]),
    put: (shelf, key, value) => Promise.resolve(void on(shelf).set(key, value)),
    remove: (shelf, key) => Promise.resolve(void on(shelf).delete(key)),
    clear: () => Promise.resolve(shelves.forEach((shelf) => shelf.clear())),
  };
}
