import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { readPrivateFile, replacePrivateFile } from "@signalbox/hub/private-file";
import { resolveStateFolder } from "./data-folder.ts";

/** The most heads that a hub accepts in one request. */
const MAX_HEADS = 100;

/**
 * The heads of the audit chain that commands of this user have seen, by hub. They are kept outside the hub's
 * data folder, so that a program that truncates the audit log there cannot remove them as well. Several are
 * kept, because after a truncation the newest one may be a head of the shortened chain.
 */
export class SeenAuditHeads {
  readonly #folder: string;

  constructor(environment: NodeJS.ProcessEnv = process.env) {
    this.#folder = resolveStateFolder(environment);
  }

  get(hub: string): readonly string[] {
    return this.#read()[hub] ?? [];
  }

  /** Remembers a head. A home folder that cannot be written does not make the command fail. */
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
