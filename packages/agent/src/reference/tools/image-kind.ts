/** What kind of picture bytes are, by how they begin. */
export function imageKind(bytes: Buffer): string | undefined {
  const begins = (text: string, at = 0) => bytes.toString("latin1", at, at + text.length) === text;
  if (begins("\x89PNG\r\n\x1a\n")) return "image/png";
  if (begins("\xff\xd8\xff")) return "image/jpeg";
  if (begins("GIF87a") || begins("GIF89a")) return "image/gif";
  return begins("RIFF") && begins("WEBP", 8) ? "image/webp" : undefined;
}

const SHOWN = 16;

export function noImage(path: string, bytes: Buffer): string {
  const hex = bytes
    .subarray(0, SHOWN)
    .toString("hex")
    .replace(/(..)(?=.)/g, "$1 ");
  return `File has an image extension but its content is not a valid PNG/JPEG/GIF/WebP. Detected: unrecognized bytes (hex: ${hex}). This usually means a download saved an error/login page instead of the image. Use \`file "${path}"\` to confirm, or read it as text with Bash (e.g. \`head -c 500\`).`;
}
