import { closeSync, mkdtempSync, openSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openPrivateFolder } from "@signalbox/host/isolation";
import { SignalboxError } from "@signalbox/protocol";

/** The longest path of a Unix socket is 104 bytes on macOS and 108 on Linux, with a zero at its end. */
const MAX_PATH_BYTES = 100;
const PREFIX = "http-";
const OWN_SOCKET = /^http-\d+\.sock$/;

/**
 * Where a process makes Unix sockets that its own user reaches and no isolated agent does: whoever took the
 * place of one would answer as the hub. They are in a private folder that is given, or, on a disk that cannot
 * be written or has no sockets, in the user's private folder for sockets, which is hidden from agents, too.
 * What a killed process left there is removed by the next one, so the given folder has to be used by one
 * process at a time.
 */
export class SocketFolder implements Disposable {
  readonly #given: string | undefined;
  readonly #paths: string[] = [];
  /** The given folder, open: a path that begins with it is short, however long the folder's own is. */
  #descriptor: number | undefined;
  #temporary: string | undefined;
  #count = 0;

  constructor(given: string | undefined) {
    this.#given = given;
    if (given !== undefined) removeSockets(given);
  }

  /** Calls `bind` with the path for a new socket: a second time if it fails in the given folder. */
  bind<T>(bind: (path: string) => T): T {
    const name = `http-${this.#count++}.sock`;
    const near = this.#given === undefined ? undefined : this.#shortPath(this.#given, name);
    if (near !== undefined) {
      try {
        const bound = bind(near);
        this.#paths.push(near);
        return bound;
      } catch {
        // A disk that cannot be written, or that has no sockets.
      }
    }
    return bind(join(this.#openTemporary(), name));
  }

  /** By which this process, and no other, can bind the socket and reach it. */
  #shortPath(folder: string, name: string): string | undefined {
    const path = join(folder, name);
    if (Buffer.byteLength(path) <= MAX_PATH_BYTES) return path;
    if (process.platform !== "linux") return undefined;
    try {
      this.#descriptor ??= openSync(folder, "r");
      return join("/proc/self/fd", String(this.#descriptor), name);
    } catch {
      return undefined; // it is not there, or cannot be read
    }
  }

  #openTemporary(): string {
    if (this.#temporary !== undefined) return this.#temporary;
    try {
      const folder = openPrivateFolder();
      removeDeadFolders(folder);
      // Its name says which process uses it.
      this.#temporary = mkdtempSync(join(folder, `${PREFIX}${process.pid}-`));
      return this.#temporary;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const why = `The hub has no folder for its sockets that agents cannot reach: ${reason}. It has not started. Name a data folder with a shorter path, on a disk that can hold sockets, with --data, or start the hub with --no-hold, which needs none.`;
      throw new SignalboxError("CANNOT_LISTEN", { why }, { cause: error });
    }
  }

  [Symbol.dispose](): void {
    for (const path of this.#paths) rmSync(path, { force: true });
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    if (this.#temporary !== undefined) rmSync(this.#temporary, { recursive: true, force: true });
  }
}

function removeSockets(folder: string): void {
  for (const name of listNames(folder)) {
    if (OWN_SOCKET.test(name)) removeQuietly(join(folder, name));
  }
}

/** Folders of processes that live no more. */
function removeDeadFolders(folder: string): void {
  for (const name of listNames(folder)) {
    const [, pid] = new RegExp(`^${PREFIX}(\\d+)-`).exec(name) ?? [];
    if (pid !== undefined && !isAlive(Number(pid))) removeQuietly(join(folder, name));
  }
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // On a disk that cannot be written nothing is made there either.
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
