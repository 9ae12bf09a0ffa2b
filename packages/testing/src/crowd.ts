import { join } from "node:path";
import { within } from "./until.ts";

export const CLIENTS = 1000;

/** So many clients in a process of their own; they are asked, and answer in lines of JSON. */
export function crowd(url: string, token: string, session: string) {
  const script = join(import.meta.dir, "programs/crowd-clients.ts");
  const child = Bun.spawn([process.execPath, script, url, token, String(CLIENTS), session], {
    stdin: "pipe",
    stdout: "pipe",
  });
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  const next = async <T>(): Promise<T> => {
    while (!rest.includes("\n")) {
      const { value, done } = await within("the clients answer", lines.read());
      if (done) throw new Error("the clients are gone");
      rest += value;
    }
    const line = rest.slice(0, rest.indexOf("\n"));
    rest = rest.slice(line.length + 1);
    return JSON.parse(line) as T;
  };
  const ask = async <T>(line: string): Promise<T> => {
    await child.stdin.write(`${line}\n`);
    await child.stdin.flush();
    return next<T>();
  };
  return { next, ask, child };
}
