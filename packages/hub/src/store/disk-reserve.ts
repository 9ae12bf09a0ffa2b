import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  fsyncSync,
  openSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";

const RESERVE_BYTES = 1024 * 1024;

/** Reserves disk space so that, on a full disk, the hub can still record that it stopped. */
export class DiskReserve {
  readonly #path: string;

  constructor(folder: string) {
    this.#path = join(folder, "reserve");
  }

  /** Reserves the space; throws if the disk does not have it. */
  fill(): void {
    this.#open((file) => {
      const { size } = fstatSync(file);
      if (size >= RESERVE_BYTES) return;
      // The zeros are written, because space that is only allocated may be missing when it is needed.
      const zeros = new Uint8Array(RESERVE_BYTES - size);
      for (let at = 0; at < zeros.length;) at += writeSync(file, zeros, at, undefined, size + at);
      fsyncSync(file);
    });
  }

  /** Frees the reserved space. */
  release(): void {
    this.#open((file) => ftruncateSync(file, 0));
  }

  #open(work: (file: number) => void): void {
    const { O_CREAT, O_RDWR, O_NOFOLLOW } = constants;
    const file = openSync(this.#path, O_CREAT | O_RDWR | O_NOFOLLOW, 0o600);
    try {
      work(file);
    } finally {
      closeSync(file);
    }
  }
}
