import type { FrameToHubOfType, FrameToRunnerOfType } from "@signalbox/api/link";
import { resolveAllowedFolder } from "../supervise/allowed-folders.ts";
import { resolveFolder } from "../supervise/folders.ts";
import { FolderWatcher } from "./folder-watcher.ts";

/** Folders that are watched at once. Those of further watches report nothing. */
const MAX_FOLDERS = 64;

interface WatchedFolder {
  readonly watcher: FolderWatcher;
  readonly watches: Set<string>;
}

/** The folders whose changes somebody looks at, each watched once. */
export class FolderWatches {
  readonly #send: (frame: FrameToHubOfType<"folder-changed">) => void;
  readonly #folders = new Map<string, WatchedFolder>();
  /** The folder of each watch; undefined while it is being looked up. */
  readonly #watches = new Map<string, string | undefined>();

  constructor(send: (frame: FrameToHubOfType<"folder-changed">) => void) {
    this.#send = send;
  }

  receive(frame: FrameToRunnerOfType<"folder-watch" | "folder-leave">): void {
    if (frame.type === "folder-leave") return this.#leave(frame.watch);
    this.#leave(frame.watch);
    this.#watches.set(frame.watch, undefined);
    // A folder that is gone, or that a driver may not see, is listed with the reason.
    void this.#watch(frame).catch(() => this.#watches.delete(frame.watch));
  }

  /** The hub is away, and nobody looks. */
  closeAll(): void {
    for (const { watcher } of this.#folders.values()) watcher.close();
    this.#folders.clear();
    this.#watches.clear();
  }

  async #watch({ watch, folder, allowed }: FrameToRunnerOfType<"folder-watch">): Promise<void> {
    const real = allowed ? resolveAllowedFolder(folder, allowed) : await resolveFolder(folder);
    if (!this.#watches.has(watch)) return;
    const known = this.#folders.get(real);
    if (!known && this.#folders.size >= MAX_FOLDERS) return;
    this.#watches.set(watch, real);
    if (known) {
      known.watches.add(watch);
      return;
    }
    const watches = new Set([watch]);
    const watcher = new FolderWatcher(real, (paths) => {
      for (const one of watches) {
        this.#send({ type: "folder-changed", watch: one, ...(paths && { paths: [...paths] }) });
      }
    });
    this.#folders.set(real, { watcher, watches });
    await watcher.start();
  }

  #leave(watch: string): void {
    const folder = this.#watches.get(watch);
    this.#watches.delete(watch);
    const watched = folder === undefined ? undefined : this.#folders.get(folder);
    if (folder === undefined || !watched?.watches.delete(watch) || watched.watches.size > 0) return;
    watched.watcher.close();
    this.#folders.delete(folder);
  }
}
