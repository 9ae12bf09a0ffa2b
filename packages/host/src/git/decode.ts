/**
 * The text of these bytes, from which the same bytes can be made again; undefined if they are not UTF-8. A name
 * in which bytes were replaced is another name, so that what it names would be missed.
 */
export function decodeStrictly(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
