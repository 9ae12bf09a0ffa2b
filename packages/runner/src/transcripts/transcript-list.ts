import { lstat, readdir } from "node:fs/promises";
import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { ListedTranscript, OrderOfKind, TranscriptList as List } from "@signalbox/api/link";
import { isOnBattery } from "@signalbox/host/system";
import { isTranscriptName, readFacts, type TranscriptPlace } from "@signalbox/host/transcripts";
import { errorMessage } from "@signalbox/protocol/text";

/** How many transcripts are read for one answer. Others wait for the next one. */
const MAX_READ = 200;
/** How many transcripts one answer lists. */
const MAX_LISTED = 1000;

interface KnownTranscript {
  readonly stamp: string;
  /** Grows with each change that is listed. */
  readonly version: number;
  readonly listed: ListedTranscript;
}

type Place = TranscriptPlace & { readonly key: string };
type Found = Place & { readonly size: number; readonly writtenAt: number; readonly stamp: string };

/**
 * The transcripts of Claude Code on this machine. Each list looks at names, sizes and times, and
 * reads the beginning and the end of those files that have changed, the newest first.
 */
export class TranscriptList {
  readonly #environment: Readonly<Record<string, string | undefined>>;
  readonly #id = crypto.randomUUID();
  readonly #known = new Map<string, KnownTranscript>();
  #version = 0;
  #listing: Promise<unknown> = Promise.resolve();

  constructor(environment: Readonly<Record<string, string | undefined>>) {
    this.#environment = environment;
  }

  list(order: OrderOfKind<"list-transcripts">): Promise<List> {
    const list = this.#listing.then(() => this.#list(order));
    this.#listing = list.catch(() => {});
    return list;
  }

  get #configFolder(): string {
    const { CLAUDE_CONFIG_DIR: configured, HOME: home } = this.#environment;
    return configured ?? join(home ?? homedir(), ".claude");
  }

  async #list({ folders, since }: OrderOfKind<"list-transcripts">): Promise<List> {
    const problems: List["problems"] = [];
    const configFolder = this.#configFolder;
    const found: Found[] = [];
    for (const folder of listRealFolders([configFolder, ...folders], problems)) {
      for await (const one of findTranscripts(folder, problems)) found.push(one);
    }
    this.#noteGone(found);
    const changed = found
      .filter(({ key, stamp }) => this.#known.get(key)?.stamp !== stamp)
      .toSorted((a, b) => b.writtenAt - a.writtenAt);
    for (const one of changed.slice(0, MAX_READ)) await this.#read(one, problems);
    const newer = [...this.#known.values()]
      .filter(({ version }) => version > since)
      .toSorted((a, b) => a.version - b.version);
    const listed = newer.slice(0, MAX_LISTED);
    return {
      list: this.#id,
      until: listed.at(-1)?.version ?? since,
      more: changed.length > MAX_READ || newer.length > MAX_LISTED,
      onBattery: isOnBattery(),
      configFolder: toRealFolder(configFolder) ?? configFolder,
      transcripts: listed.map((each) => each.listed),
      problems,
    };
  }

  #noteGone(found: readonly Found[]): void {
    const present = new Set(found.map(({ key }) => key));
    for (const [key, { listed }] of this.#known) {
      if (present.has(key) || listed.isGone) continue;
      this.#note(key, "gone", { ...listed, isGone: true });
    }
  }

  async #read(one: Found, problems: List["problems"]): Promise<void> {
    const { key, stamp, configFolder, project, sessionId, size, writtenAt } = one;
    try {
      const facts = await readFacts(one);
      if (!facts) return;
      const place = { configFolder, project, conversation: sessionId };
      this.#note(key, stamp, { ...place, size, writtenAt, ...facts });
    } catch (failure) {
      problems.push({ path: key, why: errorMessage(failure) });
    }
  }

  #note(key: string, stamp: string, listed: ListedTranscript): void {
    this.#known.set(key, { stamp, version: ++this.#version, listed });
  }
}

/** The folders of configurations that exist, without repetitions. */
function listRealFolders(folders: readonly string[], problems: List["problems"]): string[] {
  const real = new Set<string>();
  for (const [index, folder] of folders.entries()) {
    const path = toRealFolder(folder);
    if (path !== undefined) real.add(path);
    // That the usual one does not exist means that Claude Code was never used.
    else if (index > 0) problems.push({ path: folder, why: "This folder does not exist." });
  }
  return [...real];
}

function toRealFolder(folder: string): string | undefined {
  if (!isAbsolute(folder) || folder.includes("\0")) return undefined;
  try {
    return realpathSync(folder);
  } catch {
    return undefined;
  }
}

async function* findTranscripts(
  configFolder: string,
  problems: List["problems"],
): AsyncGenerator<Found> {
  const projects = join(configFolder, "projects");
  for (const project of await listNames(projects, "folder", problems)) {
    const folder = join(projects, project);
    for (const name of await listNames(folder, "file", problems)) {
      const sessionId = name.endsWith(".jsonl") ? name.slice(0, -".jsonl".length) : "";
      if (!isTranscriptName({ project, sessionId })) continue;
      const path = join(folder, name);
      const stats = await lstat(path).catch(() => undefined);
      if (!stats?.isFile() || stats.size === 0) continue;
      const { size, mtimeMs, ino } = stats;
      const place = { configFolder, project, sessionId, key: path };
      yield { ...place, size, writtenAt: mtimeMs, stamp: `${ino}:${size}:${mtimeMs}` };
    }
  }
}

async function listNames(
  folder: string,
  kind: "folder" | "file",
  problems: List["problems"],
): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries
      .filter((entry) => (kind === "folder" ? entry.isDirectory() : entry.isFile()))
      .map(({ name }) => name);
  } catch (failure) {
    const { code } = failure as NodeJS.ErrnoException;
    if (code !== "ENOENT") problems.push({ path: folder, why: errorMessage(failure) });
    return [];
  }
}
