import { readFileSync } from "node:fs";
import { dotPicture } from "./programs.ts";

const fromHex = (...hex: string[]) => Uint8Array.from(Buffer.from(hex.join(""), "hex"));
const makeWebp = (base64: string) =>
  Uint8Array.from(
    Buffer.concat([Buffer.from("RIFF\0\0\0\0WEBP", "latin1"), Buffer.from(base64, "base64")]),
  );
const u16 = (value: number) => Buffer.from([value & 0xff, value >> 8]).toString("hex");

/** A real one, of one pixel, that claims to be of this size. */
export function makePng(width: number, height: number): Uint8Array<ArrayBuffer> {
  const bytes = readFileSync(dotPicture);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return Uint8Array.from(bytes);
}

/** With what Chromium writes before the frame, and a comment between. */
export function makeJpeg(width: number, height: number, marker = "c0"): Uint8Array {
  const size = Buffer.alloc(4);
  size.writeUInt16BE(height, 0);
  size.writeUInt16BE(width, 2);
  const jfif = "ffe000104a46494600010100000100010000";
  return fromHex("ffd8", jfif, "fffffffe000461c3", `ff${marker}001108`, size.toString("hex"), "03");
}

/** A screen with one frame after a comment: of the same size, or of one that reaches beyond. */
export function makeGif(width: number, height: number, frame = { width, height }): Uint8Array {
  const screen = `474946383961${u16(width)}${u16(height)}800000000000ffffff`;
  const comment = "21fe02686900";
  const place = `2c00000000${u16(frame.width)}${u16(frame.height)}00`;
  return fromHex(screen, comment, place, "02", "024401", "00", "3b");
}

/** Chromium's, 3 × 2 pixels: with losses, without, and with what has more than one chunk. */
export const webps = [
  makeWebp("VlA4ICgAAACQAQCdASoDAAIAB0CWJaACdLoAA5gA/uUK+Cepco/+N48CvJdjoAAA"),
  makeWebp("VlA4TA8AAAAvAkAAAAcQ/Y/+ByKi/wEA"),
  makeWebp("VlA4WAoAAAAgAAAAAgAAAQAA"),
] as const;
