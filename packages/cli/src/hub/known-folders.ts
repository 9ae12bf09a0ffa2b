import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { readPrivateFile, replacePrivateFile } from "@signalbox/hub/private-file";

/**
 * The data folders of all hubs and runners that this user has started, one file each in the state folder, so
 * that an agent of one hub does not read another's. A folder that is gone is forgotten.
 */
export class KnownFolders {
  readonly #place: string;

  constructor(stateFolder: string) {
    this.#place = join(stateFolder, "data-folders");
  }

  /** A home that cannot be written remembers none: that is no reason to refuse a start. */
  remember(folder: string): void {
    const name = createHash("sha256").update(folder).digest("hex");
    try {
      mkdirSync(this.#place, { recursive: true, mode: 0o700 });
      replacePrivateFile(join(this.#place, name), folder);
    } catch {}
  }

  list(): string[] {
    return this.#names().flatMap((name) => {
      try {
        const folder = readPrivateFile(join(this.#place, name));
        if (folder === undefined) return [];
        if (existsSync(folder)) return [folder];
        rmSync(join(this.#place, name), { force: true });
      } catch {} // somebody else's file says nothing
      return [];
    });
  }

  #names(): string[] {
    try {
      return readdirSync(this.#place).filter((name) => /^[0-9a-f]{64}$/.test(name));
    } catch {
      return []; // there is none yet
    }
  }
}
