import { randomBytes } from "node:crypto";
import { crc32, deflateSync } from "node:zlib";

/** A PNG that nothing makes smaller: `side` pixels each way, three bytes a pixel. */
export function noisyPicture(side: number): Buffer {
  const row = 1 + 3 * side;
  const pixels = randomBytes(row * side);
  for (let at = 0; at < pixels.length; at += row) pixels[at] = 0; // each row as it is
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  head.set([8, 2], 8); // eight bits of red, green and blue
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(pixels)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), data]);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([size, named, sum]);
}
