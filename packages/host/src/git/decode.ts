/**
 * Decodes bytes to text from which the same bytes can be restored, or returns undefined if they are
 * not UTF-8. With replaced bytes a name would refer to another file.
 */
export function decodeStrictly(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
