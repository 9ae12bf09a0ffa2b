import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { readPrivateFile, replacePrivateFile } from "@signalbox/hub/private-file";

/**
 * The data folders of all hubs and runners that this user has started, so that an agent of one hub cannot read
 * the folder of another. Each has a file in the state folder. Folders that no longer exist are removed.
 */
export class DataFolderRegistry {
  readonly #folder: string;

  constructor(stateFolder: string) {
    this.#folder = join(stateFolder, "data-folders");
  }

  /** Adds a folder. A home folder that cannot be written does not make the start fail. */
  add(folder: string): void {
    const name = createHash("sha256").update(folder).digest("hex");
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      replacePrivateFile(join(this.#folder, name), folder);
    } catch {}
  }

  list(): string[] {
    return this.#names().flatMap((name) => {
      try {
        const folder = readPrivateFile(join(this.#folder, name));
        if (folder === undefined) return [];
        if (existsSync(folder)) return [folder];
        rmSync(join(this.#folder, name), { force: true });
      } catch {} // a file of another user is ignored
      return [];
    });
  }

  #names(): string[] {
    try {
      return readdirSync(this.#folder).filter((name) => /^[0-9a-f]{64}$/.test(name));
    } catch {
      return []; // the folder does not exist yet
    }
  }
}
