let lastText = "";
let lastBytes = 0;

/**
 * The size of a frame in bytes. The last result is cached, because most frames are sent to many clients one
 * after the other.
 */
export function countFrameBytes(text: string): number {
  if (text !== lastText) [lastText, lastBytes] = [text, Buffer.byteLength(text)];
  return lastBytes;
}
