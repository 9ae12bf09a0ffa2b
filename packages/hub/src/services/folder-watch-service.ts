import type { HubFrame } from "@signalbox/api";
import type { FrameToHubOfType } from "@signalbox/api/link";
import type { ClientChannel } from "../fan-out/client-channel.ts";
import type { RunnerLink } from "../link/runner-link.ts";
import type { RunnerLinks } from "../link/runner-links.ts";
import { isLimitedToAllowedFolders } from "../session/driver-limits.ts";
import type { Sessions } from "../session/sessions.ts";
import type { AllowedFolders } from "./allowed-folders.ts";

interface FolderWatchServiceOptions {
  readonly links: Pick<RunnerLinks, "get">;
  readonly sessions: Pick<Sessions, "find">;
  readonly allowed: Pick<AllowedFolders, "list">;
}

/**
 * Who looks at the changes of which session's folder. The session's machine watches the folder only while
 * somebody does.
 */
export class FolderWatchService {
  readonly #options: FolderWatchServiceOptions;
  readonly #viewers = new Map<string, Set<ClientChannel>>();

  constructor(options: FolderWatchServiceOptions) {
    this.#options = options;
  }

  watch(session: string, viewer: ClientChannel): void {
    const viewers = this.#viewers.get(session) ?? new Set();
    this.#viewers.set(session, viewers.add(viewer));
    if (viewers.size === 1) this.#request(session);
  }

  leave(session: string, viewer: ClientChannel): void {
    const viewers = this.#viewers.get(session);
    if (!viewers?.delete(viewer) || viewers.size > 0) return;
    this.#viewers.delete(session);
    this.#findLink(session)?.sendFolderFrame({ type: "folder-leave", watch: session });
  }

  /** The runner is connected again, and watches nothing. */
  onConnected(link: RunnerLink): void {
    for (const session of this.#viewers.keys()) {
      if (this.#options.sessions.find(session)?.row.runner === link.runner) this.#request(session);
    }
  }

  onChanged(link: RunnerLink, { watch, paths }: FrameToHubOfType<"folder-changed">): void {
    if (this.#options.sessions.find(watch)?.row.runner !== link.runner) return;
    const frame: HubFrame = { type: "changes", session: watch, ...(paths && { paths }) };
    const text = JSON.stringify(frame);
    for (const viewer of this.#viewers.get(watch) ?? []) viewer.send(text);
  }

  #request(id: string): void {
    const row = this.#options.sessions.find(id)?.row;
    if (!row) return;
    const { folder, runner } = row;
    const limits = isLimitedToAllowedFolders(row)
      ? { allowed: [...this.#options.allowed.list(runner)] }
      : {};
    this.#findLink(id)?.sendFolderFrame({ type: "folder-watch", watch: id, folder, ...limits });
  }

  #findLink(session: string): RunnerLink | undefined {
    const runner = this.#options.sessions.find(session)?.row.runner;
    return runner === undefined ? undefined : this.#options.links.get(runner);
  }
}
