import type { ImageType } from "@signalbox/protocol/wire";

/** The largest image in base64, because the API counts the encoded form. */
export const MAX_IMAGE_BASE64 = 5 * 1024 * 1024;
/**
 * The API's limit for either side. Without it, a few bytes could make a decoder allocate billions
 * of pixels.
 */
export const MAX_IMAGE_SIDE = 8000;

/** Detects the type by the first bytes, because names and declared types may be wrong. */
export function imageType(data: Uint8Array): ImageType | undefined {
  const head = Buffer.from(data.subarray(0, 12)).toString("latin1");
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (head.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (head.startsWith("GIF87a") || head.startsWith("GIF89a")) return "image/gif";
  if (head.startsWith("RIFF") && head.slice(8) === "WEBP") return "image/webp";
  return undefined;
}

/** Returns why an image cannot be sent to a model, or undefined if it can. Nothing is decoded. */
export function imageProblem(data: Uint8Array): string | undefined {
  if (data.length === 0) return "it is empty";
  const type = imageType(data);
  if (!type) return "it is not PNG, JPEG, GIF or WebP";
  const encoded = Math.ceil(data.length / 3) * 4;
  if (encoded > MAX_IMAGE_BASE64) {
    return `it takes ${encoded} bytes encoded, and the model accepts ${MAX_IMAGE_BASE64}. Make it smaller`;
  }
  const size = imageSize(data);
  if (!size) return "its size in pixels cannot be read: it is damaged or cut off";
  const { width, height } = size;
  if (Math.max(width, height) <= MAX_IMAGE_SIDE) return undefined;
  return `it is ${width} × ${height} pixels, and the model accepts ${MAX_IMAGE_SIDE} on each side. Make it smaller`;
}

interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Returns the size in pixels from the header, or undefined if the header has none. */
export function imageSize(data: Uint8Array): ImageSize | undefined {
  const type = imageType(data);
  if (!type) return undefined;
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  try {
    const size = readers[type](bytes);
    return size && size.width > 0 && size.height > 0 ? size : undefined;
  } catch (failure) {
    if (failure instanceof RangeError) return undefined; // the file ends inside its header
    throw failure;
  }
}

const readers: Record<ImageType, (bytes: Buffer) => ImageSize | undefined> = {
  "image/png": (bytes) =>
    bytes.toString("latin1", 12, 16) === "IHDR"
      ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
      : undefined,
  "image/jpeg": jpegSize,
  "image/gif": gifSize,
  "image/webp": webpSize,
};

/**
 * The size is in the first segment that begins a frame: SOF0 to SOF15, except three markers with
 * other meanings.
 */
function jpegSize(bytes: Buffer): ImageSize | undefined {
  for (let at = 2; ;) {
    while (bytes.readUInt8(at + 1) === 0xff) at += 1; // fill bytes
    if (bytes.readUInt8(at) !== 0xff) return undefined;
    const marker = bytes.readUInt8(at + 1);
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    }
    const length = bytes.readUInt16BE(at + 2);
    if (length < 2) return undefined;
    at += 2 + length;
  }
}

/**
 * Returns the size of the screen, or of the largest frame if one is larger, because programs
 * allocate that.
 */
function gifSize(bytes: Buffer): ImageSize | undefined {
  let width = bytes.readUInt16LE(6);
  let height = bytes.readUInt16LE(8);
  let at = 13 + tableBytes(bytes.readUInt8(10));
  let frames = 0;
  for (; at < bytes.length && bytes[at] !== 0x3b;) {
    if (bytes[at] === 0x2c) {
      width = Math.max(width, bytes.readUInt16LE(at + 1) + bytes.readUInt16LE(at + 5));
      height = Math.max(height, bytes.readUInt16LE(at + 3) + bytes.readUInt16LE(at + 7));
      frames += 1;
      at = skipBlocks(bytes, at + 11 + tableBytes(bytes.readUInt8(at + 9)));
    } else if (bytes[at] === 0x21) {
      at = skipBlocks(bytes, at + 2);
    } else {
      break; // the rest is not valid GIF data
    }
  }
  return frames > 0 ? { width, height } : undefined;
}

/** Returns the size of the color table that these flags announce. */
function tableBytes(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

function skipBlocks(bytes: Buffer, at: number): number {
  while (at < bytes.length && bytes[at] !== 0) at += 1 + (bytes[at] ?? 0);
  return at + 1;
}

function webpSize(bytes: Buffer): ImageSize | undefined {
  switch (bytes.toString("latin1", 12, 16)) {
    case "VP8X":
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    case "VP8L": {
      const bits = bytes.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case "VP8 ":
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    default:
      return undefined;
  }
}
