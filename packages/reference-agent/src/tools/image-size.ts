interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/**
 * Reads the size of an image in pixels from its header; undefined if the header does not contain
 * it.
 */
export function imageSize(bytes: Buffer, type: string): ImageSize | undefined {
  const size = readers[type]?.(bytes);
  return size && size.width > 0 && size.height > 0 ? size : undefined;
}

const readers: Readonly<Record<string, (bytes: Buffer) => ImageSize | undefined>> = {
  "image/png": (bytes) =>
    bytes.length < 24
      ? undefined
      : { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) },
  "image/gif": (bytes) =>
    bytes.length < 10 ? undefined : { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) },
  "image/jpeg": sizeOfJpeg,
  "image/webp": sizeOfWebp,
};

/**
 * Reads the size from the frame header, which follows segments that each begin with their length.
 */
function sizeOfJpeg(bytes: Buffer): ImageSize | undefined {
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

function sizeOfWebp(bytes: Buffer): ImageSize | undefined {
  if (bytes.length < 30) return undefined;
  switch (bytes.toString("latin1", 12, 16)) {
    case "VP8 ":
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    case "VP8L": {
      const packed = bytes.readUInt32LE(21);
      return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
    }
    case "VP8X":
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return undefined;
  }
}
