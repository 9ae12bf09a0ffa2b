let lastText = "";
let lastBytes = 0;

/** The bytes of a frame on the wire. Most frames go to many, one after the other: the last is remembered. */
export function countFrameBytes(text: string): number {
  if (text !== lastText) [lastText, lastBytes] = [text, Buffer.byteLength(text)];
  return lastBytes;
}
