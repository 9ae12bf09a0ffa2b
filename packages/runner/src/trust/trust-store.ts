import { readFileSync, renameSync, writeFileSync } from "node:fs";
import * as z from "zod";

const fileShape = z.record(
  z.string(),
  z.object({
    /** Ids of findings that an approver has trusted. */
    trusted: z.array(z.string()),
    /** Ids of rules that an approver has permanently allowed in an answer. */
    remembered: z.array(z.string()),
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

  grant(folder: string, ids: readonly string[]): void {
    const remembered = this.#getFolder(folder)?.remembered ?? [];
    this.#write({ ...this.#folders, [folder]: { trusted: [...ids], remembered } });
  }

  revoke(folder: string): void {
    const { [folder]: _, ...others } = this.#folders;
    this.#write(others);
  }

  remember(folder: string, ids: readonly string[]): void {
    const { trusted = [], remembered = [] } = this.#getFolder(folder) ?? {};
    const all = [...new Set([...remembered, ...ids])];
    if (all.length === remembered.length) return;
    this.#write({ ...this.#folders, [folder]: { trusted, remembered: all } });
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
