import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { CommandError } from "../command-error.ts";
import { exitCode } from "../exit-code.ts";
import { UsageError } from "../usage-error.ts";

/**
 * Reads a secret from standard input, or asks for it without showing what is typed. It is never an argument,
 * because other programs can read the arguments of a process and shells remember them.
 */
export async function readSecret(name: string): Promise<string> {
  const secret = process.stdin.isTTY
    ? await askHidden(`${name}: `)
    : (await text(process.stdin)).replace(/\r?\n$/, "");
  if (secret === "") throw new UsageError(`No value was entered for ${name}.`);
  return secret;
}

function askHidden(question: string): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: process.stdin, output: silent, terminal: true });
  process.stderr.write(question);
  return new Promise((resolve, reject) => {
    reader.on("line", (line) => {
      resolve(line);
      reader.close();
    });
    reader.on("SIGINT", () => reader.close());
    reader.on("close", () => {
      process.stderr.write("\n");
      reject(new CommandError(exitCode.interrupted, "Interrupted. Nothing was changed."));
    });
  });
}
