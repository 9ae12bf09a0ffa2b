import { readdirSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** Ends of names, the smallest first. */
export const encodings = ["br", "gz"] as const;
export type Encoding = (typeof encodings)[number];

const text = /\.(?:html|js|css|json|svg|wasm|webmanifest)$/;
/** Below this nothing is won. */
const LEAST = 1024;
/** Better forms take ten times as long for a twentieth less. */
const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };

/** Puts what can be sent in fewer bytes beside each file of a folder, once, so that no hub has to. */
export async function compressAll(folder: string): Promise<void> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  await Promise.all(files.filter((file) => text.test(file)).map((file) => one(join(folder, file))));
}

async function one(path: string): Promise<void> {
  const content = await readFile(path);
  if (content.length < LEAST) return;
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(content, { params }),
    promisify(gzip)(content, { level: 9 }),
  ]);
  if (br.length < content.length) await writeFile(`${path}.br`, br);
  if (gz.length < content.length) await writeFile(`${path}.gz`, gz);
}
