import { readFileSync, renameSync, writeFileSync } from "node:fs";
import * as z from "zod";

const fileShape = z.record(
  z.string(),
  z.object({
    /** Ids of findings that an approver has trusted. */
    trusted: z.array(z.string()),
    /** Ids of rules that an approver has permanently allowed in an answer. */
    remembered: z.array(z.string()),
    /** Whether an approver has trusted the folder, even if nothing was found in it. */
    granted: z.boolean().optional(),
  }),
);
type Folders = z.infer<typeof fileShape>;

/**
 * The trusted findings on this machine, by the real path of the folder. The runner stores them itself, so that
 * neither the hub's database nor a program that impersonates the hub can make a folder trusted.
 */
export class TrustStore {
  readonly #path: string | undefined;
  #folders: Folders;

  /** Without a path, trust is kept only while this process runs. */
  constructor(path?: string) {
    this.#path = path;
    this.#folders = path === undefined ? {} : readFolders(path);
  }

  getTrustedIds(folder: string): string[] {
    const { trusted = [], remembered = [] } = this.#getFolder(folder) ?? {};
    return [...trusted, ...remembered];
  }

  /** Whether an approver has trusted this folder. */
  isGranted(folder: string): boolean {
    const { granted, trusted = [] } = this.#getFolder(folder) ?? {};
    return granted ?? trusted.length > 0;
  }

  grant(folder: string, ids: readonly string[]): void {
    const remembered = this.#getFolder(folder)?.remembered ?? [];
    const known = { trusted: [...ids], remembered, granted: true };
    this.#write({ ...this.#folders, [folder]: known });
  }

  revoke(folder: string): void {
    const { [folder]: _, ...others } = this.#folders;
    this.#write(others);
  }

  remember(folder: string, ids: readonly string[]): void {
    const known = this.#getFolder(folder) ?? { trusted: [], remembered: [] };
    const all = [...new Set([...known.remembered, ...ids])];
    if (all.length === known.remembered.length) return;
    this.#write({ ...this.#folders, [folder]: { ...known, remembered: all } });
  }

  #getFolder(folder: string): Folders[string] | undefined {
    return Object.hasOwn(this.#folders, folder) ? this.#folders[folder] : undefined;
  }

  #write(folders: Folders): void {
    if (this.#path !== undefined) {
      writeFileSync(`${this.#path}.new`, JSON.stringify(folders), { mode: 0o600 });
      renameSync(`${this.#path}.new`, this.#path);
    }
    this.#folders = folders;
  }
}

/** Reads the file. A missing or invalid file trusts nothing. */
function readFolders(path: string): Folders {
  try {
    const { data } = fileShape.safeParse(JSON.parse(readFileSync(path, "utf8")));
    return data ?? {};
  } catch {
    return {};
  }
}
