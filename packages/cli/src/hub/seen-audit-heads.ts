import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { readPrivateFile, replacePrivateFile } from "@signalbox/hub/private-file";
import { resolveStateFolder } from "./data-folder.ts";

/** So many a hub takes at once. */
const MAX_HEADS = 100;

/**
 * The heads of the audit chain that this user's commands have seen, by hub. They are not kept in the
 * hub's folder: whoever cuts the end of its audit off would cut them off too. A few, and not the newest
 * alone: after a cut the newest is one that fits.
 */
export class SeenAuditHeads {
  readonly #folder: string;

  constructor(environment: NodeJS.ProcessEnv = process.env) {
    this.#folder = resolveStateFolder(environment);
  }

  get(hub: string): readonly string[] {
    return this.#read()[hub] ?? [];
  }

  /** A home that cannot be written keeps none: that is no reason to refuse a command. */
  add(hub: string, head: string): void {
    const all = this.#read();
    const before = all[hub] ?? [];
    if (before.at(-1) === head) return;
    const heads = [...before.filter((one) => one !== head), head].slice(-MAX_HEADS);
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      replacePrivateFile(this.#path, JSON.stringify({ ...all, [hub]: heads }));
    } catch {}
  }

  get #path(): string {
    return join(this.#folder, "heads.json");
  }

  #read(): Readonly<Record<string, readonly string[]>> {
    try {
      const all = JSON.parse(readPrivateFile(this.#path) ?? "{}") as Record<string, unknown>;
      return Object.fromEntries(
        Object.entries(all).map(([hub, heads]) => [hub, parseHeads(heads)]),
      );
    } catch {
      return {};
    }
  }
}

function parseHeads(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.filter((head): head is string => /^[0-9a-f]{64}$/.test(String(head)));
}
