import { errorMessage } from "@signalbox/protocol/text";
import { isProcessAlive } from "@signalbox/host/system";
import { closeSync, mkdtempSync, openSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openPrivateFolder } from "@signalbox/host/isolation";
import { SignalboxError } from "@signalbox/protocol";

/** The longest path of a Unix socket. macOS allows 104 bytes and Linux 108, with a zero at the end. */
const MAX_PATH_BYTES = 100;
const PREFIX = "http-";
const OWN_SOCKET = /^http-\d+\.sock$/;

/**
 * Finds a place for Unix sockets that this user's processes can reach and isolated agents cannot, because
 * whoever replaced a socket would answer as the hub. The place is a private folder that is given. On a disk
 * that cannot be written or has no sockets it is the user's private folder for sockets, which is hidden from
 * agents, too. The next process removes what a killed process left there, so only one process at a time may
 * use the given folder.
 */
export class SocketFolder implements Disposable {
  readonly #given: string | undefined;
  readonly #paths: string[] = [];
  /**
   * The descriptor of the given folder. A path that begins with it is short, however long the folder's own
   * path is.
   */
  #descriptor: number | undefined;
  #temporary: string | undefined;
  #count = 0;

  constructor(given: string | undefined) {
    this.#given = given;
    if (given !== undefined) removeSockets(given);
  }

  /**
   * Calls `bind` with the path for a new socket, and a second time with another path if that fails in the
   * given folder.
   */
  bind<T>(bind: (path: string) => T): T {
    const name = `http-${this.#count++}.sock`;
    const near = this.#given === undefined ? undefined : this.#shortPath(this.#given, name);
    if (near !== undefined) {
      try {
        const bound = bind(near);
        this.#paths.push(near);
        return bound;
      } catch {
        // The disk cannot be written, or it has no sockets.
      }
    }
    return bind(join(this.#openTemporary(), name));
  }

  /** A path by which only this process can bind and reach the socket. */
  #shortPath(folder: string, name: string): string | undefined {
    const path = join(folder, name);
    if (Buffer.byteLength(path) <= MAX_PATH_BYTES) return path;
    if (process.platform !== "linux") return undefined;
    try {
      this.#descriptor ??= openSync(folder, "r");
      return join("/proc/self/fd", String(this.#descriptor), name);
    } catch {
      return undefined; // the folder does not exist or cannot be read
    }
  }

  #openTemporary(): string {
    if (this.#temporary !== undefined) return this.#temporary;
    try {
      const folder = openPrivateFolder();
      removeDeadFolders(folder);
      // The folder's name says which process uses it.
      this.#temporary = mkdtempSync(join(folder, `${PREFIX}${process.pid}-`));
      return this.#temporary;
    } catch (error) {
      const reason = errorMessage(error);
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

/** Removes folders of processes that have ended. */
function removeDeadFolders(folder: string): void {
  for (const name of listNames(folder)) {
    const [, pid] = new RegExp(`^${PREFIX}(\\d+)-`).exec(name) ?? [];
    if (pid !== undefined && !isProcessAlive(Number(pid))) removeQuietly(join(folder, name));
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
    // On a disk that cannot be written nothing was created either.
  }
}
