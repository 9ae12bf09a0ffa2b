/** Recognizes the type of an image by its first bytes. */
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
  return `By its name this is a picture, but it is no PNG, JPEG, GIF or WebP: it begins with the bytes ${hex}. Often a download has brought a page with an error or a form to sign in. \`file "${path}"\` or \`head -c 500\` in Bash show what it is.`;
}
