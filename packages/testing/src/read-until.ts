import { within } from "./until.ts";

type Reader = { read(): Promise<{ done: boolean; value?: Uint8Array | undefined }> };

/** Reads from a stream until this text has come, and gives all that was read. */
export async function readUntil(reader: Reader, text: string): Promise<string> {
  const decoder = new TextDecoder();
  let seen = "";
  while (!seen.includes(text)) {
    const what = `the stream contains ${JSON.stringify(text)}`;
    const { value, done } = await within(what, reader.read(), { seen: () => seen });
    if (done) throw new Error(`the stream ended before ${JSON.stringify(text)} came: ${seen}`);
    seen += decoder.decode(value, { stream: true });
  }
  return seen;
}
