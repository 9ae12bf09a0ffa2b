import { lstatSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The longest path of a Unix socket is 104 bytes on macOS and 108 on Linux, with a zero at its end. */
const MAX_PATH_BYTES = 100;
const PREFIX = "signalbox-http-";
const OWN_SOCKET = /^http-\d+\.sock$/;

/**
 * Where a process makes Unix sockets that only its own user can reach: in a private folder that is
 * given, or, where that cannot be written or its path is too long, in a temporary one. What a killed
 * process left there is removed by the next one, so the folder has to be used by one process at a time.
 */
export class SocketFolder implements Disposable {
  readonly #given: string | undefined;
  readonly #paths: string[] = [];
  #temporary: string | undefined;
  #count = 0;

  constructor(given: string | undefined) {
    this.#given = given;
    if (given !== undefined) removeSockets(given);
    removeDeadFolders();
  }

  /** Calls `bind` with the path for a new socket: a second time if it fails in the given folder. */
  bind<T>(bind: (path: string) => T): T {
    const name = `http-${this.#count++}.sock`;
    const near = this.#given === undefined ? undefined : join(this.#given, name);
    if (near !== undefined && Buffer.byteLength(near) <= MAX_PATH_BYTES) {
      try {
        const bound = bind(near);
        this.#paths.push(near);
        return bound;
      } catch {
        // A disk that cannot be written, or that has no sockets.
      }
    }
    // `mkdtemp` makes a folder that nobody else can enter. Its name says which process uses it.
    this.#temporary ??= mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
    return bind(join(this.#temporary, name));
  }

  [Symbol.dispose](): void {
    for (const path of this.#paths) rmSync(path, { force: true });
    if (this.#temporary !== undefined) rmSync(this.#temporary, { recursive: true, force: true });
  }
}

function removeSockets(folder: string): void {
  for (const name of listNames(folder)) {
    if (OWN_SOCKET.test(name)) removeQuietly(join(folder, name));
  }
}

/** Temporary folders of processes that live no more. */
function removeDeadFolders(): void {
  for (const name of listNames(tmpdir())) {
    const [, pid] = new RegExp(`^${PREFIX}(\\d+)-`).exec(name) ?? [];
    const path = join(tmpdir(), name);
    if (pid === undefined || isAlive(Number(pid))) continue;
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats?.isDirectory() && stats.uid === process.getuid?.()) removeQuietly(path);
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
