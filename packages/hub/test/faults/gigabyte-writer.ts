/** A process that writes a gigabyte of lines, says so, and goes on until it is killed. */
import { writeSync } from "node:fs";
import { openStore } from "../../src/store/open-store.ts";
import { line, session } from "../store/rows.ts";
import { GIGABYTE_LINES, LINE_LENGTH } from "./gigabyte.ts";

const store = await openStore(process.argv[2] ?? "");
await store.commit([session("s")]);
const text = "x".repeat(LINE_LENGTH);
for (let pos = 1; ;) {
  await store.commit(Array.from({ length: 100 }, () => line("s", pos++, { text })));
  if (pos > GIGABYTE_LINES) writeSync(1, "gigabyte\n");
}
