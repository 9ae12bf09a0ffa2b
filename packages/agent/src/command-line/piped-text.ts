import type { Readable } from "node:stream";

const PATIENCE_MS = 3000;

/**
 * Reads everything that is piped in. If there is a prompt, the pipe may stay open without ever
 * getting data, so reading stops after a while.
 */
export async function pipedText(
  stream: Readable,
  hasPrompt: boolean,
  warn: (sentence: string) => void,
  patienceMs = PATIENCE_MS,
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let isSilent = false;
  const giveUp = () => {
    isSilent = true;
    stream.destroy();
  };
  const late = hasPrompt ? setTimeout(giveUp, patienceMs) : undefined;
  try {
    for await (const chunk of stream) {
      clearTimeout(late);
      chunks.push(chunk as Uint8Array);
    }
  } catch (failure) {
    if (!isSilent) throw failure;
  } finally {
    clearTimeout(late);
  }
  if (isSilent) {
    const waited = `nothing came on stdin within ${patienceMs / 1000} s`;
    warn(`Warning: ${waited}; going on without it. < /dev/null says so at once.`);
  }
  return Buffer.concat(chunks).toString("utf8");
}
