/** Image types that cannot contain scripts. SVG can (C17). */
const supportedTypes = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** A data URL for an embedded image. Undefined if its type is not supported. */
export function toImageDataUrl(mediaType: string, base64: string): string | undefined {
  const type = mediaType.trim().toLowerCase();
  const data = base64.replace(/\s+/g, "");
  if (!supportedTypes.has(type) || !/^[A-Za-z0-9+/]+={0,2}$/.test(data)) return undefined;
  return `data:${type};base64,${data}`;
}

/** The number of bytes that base64 characters encode. */
export function countBase64Bytes(characters: number): number {
  return Math.floor((characters * 3) / 4);
}
