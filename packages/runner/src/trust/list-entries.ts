import { readdirSync } from "node:fs";
import { decodeStrictly } from "@signalbox/host/git";

/** One entry of a folder. */
export interface Entry {
  /** The name as text. Bytes that are not UTF-8 are replaced in it. */
  readonly name: string;
  /** The path in bytes, which leads to the entry whatever its name. */
  readonly path: Buffer;
  /** Whether the name as text leads to the entry, too. */
  readonly isText: boolean;
  readonly isFolder: boolean;
  readonly isLink: boolean;
}

/** The entries of a folder. Throws if it cannot be listed. */
export function listEntries(folder: string | Uint8Array): Entry[] {
  const above = Buffer.from(folder);
  // In Latin-1 each byte of a name is a character, so that none is lost.
  const found = readdirSync(above, { withFileTypes: true, encoding: "latin1" });
  return found.map((entry) => {
    const bytes = Buffer.from(entry.name, "latin1");
    const name = decodeStrictly(bytes);
    return {
      name: name ?? bytes.toString(),
      path: Buffer.concat([above, Buffer.from("/"), bytes]),
      isText: name !== undefined,
      isFolder: entry.isDirectory(),
      isLink: entry.isSymbolicLink(),
    };
  });
}
