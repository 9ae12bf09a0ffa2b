import type { ImportMachine, ImportRequest, ImportSettings, ImportStatus } from "@signalbox/api";
import { type ListedTranscript, type TranscriptList, transcriptList } from "@signalbox/api/link";
import { importSettings } from "@signalbox/api/schemas";
import { errorMessage } from "@signalbox/protocol/text";
import type { Actor } from "../actor.ts";
import type { RunnerLink } from "../link/runner-link.ts";
import type { RunnerLinks } from "../link/runner-links.ts";
import { HubRefusal } from "../refusal.ts";
import { parseStored } from "../services/loaded-settings.ts";
import type { Machines } from "../services/machines.ts";
import { isDriver } from "../session/driver-limits.ts";
import type { SessionDeps } from "../session/session.ts";
import type { Sessions } from "../session/sessions.ts";
import { isCopied, type TranscriptRegistry } from "../session/transcript-registry.ts";
import { createAuditChange } from "../store/audit-change.ts";
import type { Store, TranscriptRow } from "../store/store.ts";
import { ListedTranscripts } from "./listed-transcripts.ts";
import type { OlderSessions } from "./older-sessions.ts";
import { TranscriptCopier } from "./transcript-copier.ts";

const SETTING = "import";
const INITIAL: ImportSettings = { on: true, folders: [] };
/** How often a machine is asked what has changed, and while somebody looks at a session that grows. */
const POLL_MS = 5000;
const LIVE_POLL_MS = 1000;
/** After a part of the work that took a second, nine seconds without any: a tenth of a core. */
const PAUSE_FACTOR = 9;
const MAX_PROBLEMS = 100;

export interface ImportTimes {
  readonly pollMs?: number;
  readonly pauseFactor?: number;
  /** How long Claude Code has to be idle elsewhere before a session takes messages here. */
  readonly takeoverMs?: number;
}

interface ImportServiceOptions extends ImportTimes {
  readonly store: Store;
  readonly deps: SessionDeps;
  readonly links: RunnerLinks;
  readonly machines: Machines;
  readonly sessions: Sessions;
  readonly registry: TranscriptRegistry;
  readonly older: OlderSessions;
  /** The runner of agents that dial in, on whose machine nothing is read. */
  readonly relayRunner: string | undefined;
}

/** What is known of a connected machine. */
interface MachineImport {
  readonly stopped: AbortController;
  list: string;
  until: number;
  state: ImportMachine["state"];
  problems: TranscriptList["problems"];
  /** Somebody wants everything to be copied now. */
  isHurried: boolean;
  /** Ends the pause before the next list. */
  wake: () => void;
}

/** Lists Claude Code's own sessions of all connected machines, and copies them in the background. */
export class ImportService {
  readonly #options: ImportServiceOptions;
  readonly #machines = new Map<RunnerLink, MachineImport>();
  readonly #copier: TranscriptCopier;
  readonly #listed: ListedTranscripts;
  #settings: ImportSettings;
  #closed = false;

  private constructor(options: ImportServiceOptions, settings: ImportSettings) {
    this.#options = options;
    this.#settings = settings;
    const { store, links, sessions, registry, deps, pauseFactor = PAUSE_FACTOR } = options;
    const now = () => deps.clocks.now();
    this.#copier = new TranscriptCopier({ store, links, sessions, registry, now, pauseFactor });
    this.#listed = new ListedTranscripts({ deps, sessions, registry });
    registry.prepareRun = (session) => this.copyNow(session);
  }

  static async load(options: ImportServiceOptions): Promise<ImportService> {
    const stored = await options.store.setting(SETTING);
    const settings = stored === undefined ? undefined : parseStored(importSettings, stored);
    return new ImportService(options, settings ?? INITIAL);
  }

  async set(settings: ImportSettings, by: Actor): Promise<ImportStatus> {
    const folders = [...new Set(settings.folders)];
    const next = { ...settings, folders };
    await this.#options.store.commit([
      { kind: "setting", key: SETTING, value: JSON.stringify(next) },
      createAuditChange("import-set", by, null, { ...next }),
    ]);
    this.#settings = next;
    for (const [link, machine] of this.#machines) {
      machine.stopped.abort();
      this.#machines.delete(link);
    }
    this.startConnected();
    return this.getStatus();
  }

  /** Lists and copies everything once without pauses. */
  async start({ folder }: ImportRequest, by: Actor): Promise<ImportStatus> {
    if (!this.#settings.on) {
      const detail = "The import of Claude Code's sessions is switched off. Switch it on first.";
      throw new HubRefusal(409, "import-off", detail);
    }
    const { on, folders } = this.#settings;
    if (folder !== undefined && !folders.includes(folder)) {
      if (isDriver(by)) {
        const detail = `${folder} is not among the folders in the settings. To add it takes an approver: Settings, Claude Code sessions.`;
        throw new HubRefusal(403, "approver-needed", detail);
      }
      await this.set({ on, folders: [...folders, folder] }, by);
    }
    for (const machine of this.#machines.values()) {
      machine.isHurried = true;
      machine.state = "listing";
      machine.wake();
    }
    return this.getStatus();
  }

  /** Begins with every connected machine with which nothing has begun. */
  startConnected(): void {
    if (!this.#settings.on || this.#closed) return;
    for (const link of this.#options.links.listOpen()) {
      if (this.#machines.has(link) || link.runner === this.#options.relayRunner) continue;
      const machine: MachineImport = {
        stopped: new AbortController(),
        list: "",
        until: 0,
        state: "listing",
        problems: [],
        isHurried: false,
        wake: () => {},
      };
      this.#machines.set(link, machine);
      void this.#run(link, machine).finally(() => {
        if (this.#machines.get(link) === machine && link.closed) this.#machines.delete(link);
      });
    }
  }

  /** Copies what is missing of a session at once, because somebody opens or continues it. */
  async copyNow(id: string): Promise<void> {
    const { sessions, older } = this.#options;
    older.show(id);
    const session = sessions.find(id);
    if (session) await this.#copier.copy(session, { hurry: true });
  }

  close(): void {
    this.#closed = true;
    for (const { stopped, wake } of this.#machines.values()) {
      stopped.abort();
      wake();
    }
  }

  async #run(link: RunnerLink, machine: MachineImport): Promise<void> {
    const { signal } = machine.stopped;
    const { pollMs = POLL_MS, pauseFactor = PAUSE_FACTOR } = this.#options;
    const isOver = () => signal.aborted || link.closed;
    while (!isOver()) {
      const began = performance.now();
      const list = await this.#list(link, machine);
      if (!list || isOver()) return;
      if (list.more) {
        const factor = machine.isHurried ? 0 : pauseFactor;
        await this.#pause(machine, (performance.now() - began) * factor);
        continue;
      }
      await this.#copyGrowing(link);
      const isIdle = await this.#copyNext(link, machine, list.onBattery);
      if (isIdle) await this.#pause(machine, Math.min(pollMs, this.#getPollMs(link)));
    }
  }

  /** Asks for what has changed, and takes it in. Returns undefined if the machine cannot say. */
  async #list(link: RunnerLink, machine: MachineImport): Promise<TranscriptList | undefined> {
    const { folders } = this.#settings;
    const order = { kind: "list-transcripts", folders, since: machine.until } as const;
    try {
      const answer = await link.sendOrder(crypto.randomUUID(), order);
      const list = transcriptList.parse(answer);
      if (machine.list !== "" && machine.list !== list.list) {
        machine.until = 0; // another process: the next list has everything
        machine.list = list.list;
        return { ...list, more: true, transcripts: [] };
      }
      machine.list = list.list;
      machine.problems = list.problems.slice(0, MAX_PROBLEMS);
      const changed = await this.#listed.takeIn(link, list);
      machine.until = list.until;
      if (changed) this.#options.older.update();
      return list;
    } catch (failure) {
      if (link.closed) return undefined;
      const isTooOld = failure instanceof HubRefusal && failure.code === "unknown-order";
      machine.state = isTooOld ? "too-old" : "listing";
      if (isTooOld) return undefined;
      machine.problems = [{ path: "", why: errorMessage(failure) }];
      await this.#pause(machine, POLL_MS);
      return { list: machine.list, until: machine.until, more: true } as TranscriptList;
    }
  }

  /** What grows while people look at it, or grew a moment ago, comes first. */
  async #copyGrowing(link: RunnerLink): Promise<void> {
    const { sessions, registry } = this.#options;
    for (const row of this.#listDue(link)) {
      const session = row.session === null ? undefined : sessions.find(row.session);
      if (!session) continue;
      const isRecent = registry.listRecentlyWritten().includes(session.id);
      if (session.isWatched || isRecent) await this.#copier.copy(session, { hurry: true });
    }
    const recent = registry.listRecentlyWritten();
    for (const id of recent) sessions.find(id)?.notifyChanged();
    if (recent.length > 0) this.#options.older.update();
  }

  /** Copies the newest transcript that is due. Returns whether there is nothing to do now. */
  async #copyNext(link: RunnerLink, machine: MachineImport, onBattery: boolean): Promise<boolean> {
    const due = this.#listDue(link).toSorted((a, b) => b.writtenAt - a.writtenAt);
    const [newest] = due;
    const session = newest?.session ? this.#options.sessions.find(newest.session) : undefined;
    if (!session) {
      machine.state = "done";
      machine.isHurried = false;
      return true;
    }
    machine.state = onBattery && !machine.isHurried ? "paused" : "copying";
    if (machine.state === "paused") return true;
    const began = performance.now();
    const hurry = machine.isHurried;
    const copy = this.#copier.copy(session, { hurry });
    // A long copy does not keep the machine from being asked what has changed.
    await Promise.race([copy, this.#pause(machine, POLL_MS)]);
    if (!hurry) await this.#pause(machine, (performance.now() - began) * this.#pauseFactor);
    return false;
  }

  get #pauseFactor(): number {
    return this.#options.pauseFactor ?? PAUSE_FACTOR;
  }

  #listDue({ runner }: RunnerLink): TranscriptRow[] {
    return this.#options.registry
      .list()
      .filter((row) => row.runner === runner && this.#copier.isDue(row));
  }

  #getPollMs({ runner }: RunnerLink): number {
    const { sessions, registry } = this.#options;
    const isLive = registry.listRecentlyWritten().some((id) => {
      const session = sessions.find(id);
      return session?.row.runner === runner && session.isWatched;
    });
    return isLive ? LIVE_POLL_MS : POLL_MS;
  }

  async #pause(machine: MachineImport, ms: number): Promise<void> {
    if (machine.stopped.signal.aborted) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      timer.unref();
      machine.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    machine.wake = () => {};
  }

  getStatus(): ImportStatus {
    const { machines, links, registry, relayRunner } = this.#options;
    const rows = Map.groupBy(registry.list(), ({ runner }) => runner);
    const views = machines
      .list()
      .filter(({ id }) => id !== relayRunner)
      .map(({ id, machine, online }): ImportMachine => {
        const link = links.get(id);
        const known = link && this.#machines.get(link);
        const imported = (rows.get(id) ?? []).filter((row) => row.imported && row.session !== null);
        const copied = imported.filter(isCopied);
        return {
          runner: id,
          machine,
          online,
          state: this.#settings.on ? (known?.state ?? "away") : "off",
          sessions: imported.length,
          copied: copied.length,
          bytes: sum(imported.map(({ size }) => size)),
          copiedBytes: sum(copied.map(({ size }) => size)),
          problems: [
            ...(known?.problems ?? []),
            ...this.#listed.getProblems(id),
            ...listProblems(imported),
          ].slice(0, MAX_PROBLEMS),
        };
      });
    return { ...this.#settings, folders: [...this.#settings.folders], machines: views };
  }
}

const kinds: Readonly<Record<string, string>> = {
  torn: "lines that are torn",
  glued: "lines with several entries",
  foreign: "entries of an unknown kind",
  cut: "lines that are too long or no text",
  orphan: "messages whose predecessor is missing",
  clock: "times in the future",
  repeated: "messages that are there twice",
};

function listProblems(rows: readonly TranscriptRow[]): ImportMachine["problems"] {
  return rows.flatMap((row) => {
    const path = getPath(row);
    if (row.problem !== null) return [{ path, why: row.problem }];
    if (row.gone && !isCopied(row)) {
      return [{ path, why: "The file was deleted before it was copied." }];
    }
    if (row.problems === null) return [];
    const counts = Object.entries(JSON.parse(row.problems) as Record<string, number>);
    const named = counts.map(([kind, count]) => `${count} ${kinds[kind] ?? kind}`);
    return [{ path, why: `Copied as it is: ${named.join(", ")}.` }];
  });
}

function getPath({
  configFolder,
  project,
  conversation,
}: Pick<ListedTranscript, "conversation"> & {
  readonly configFolder: string | null;
  readonly project: string | null;
}): string {
  return `${configFolder ?? ""}/projects/${project ?? ""}/${conversation}.jsonl`;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
