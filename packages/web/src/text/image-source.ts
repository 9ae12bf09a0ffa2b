/** Pictures that a browser draws and that cannot act. SVG can, and is not among them (C17). */
const supportedTypes = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** An address for a picture that travels with its item; undefined: it is not one that we draw. */
export function toImageDataUrl(mediaType: string, base64: string): string | undefined {
  const type = mediaType.trim().toLowerCase();
  const data = base64.replace(/\s+/g, "");
  if (!supportedTypes.has(type) || !/^[A-Za-z0-9+/]+={0,2}$/.test(data)) return undefined;
  return `data:${type};base64,${data}`;
}

/** How many bytes base64 stands for. */
export function countBase64Bytes(characters: number): number {
  return Math.floor((characters * 3) / 4);
}
