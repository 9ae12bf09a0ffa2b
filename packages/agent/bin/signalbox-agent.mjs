#!/usr/bin/env node
// Runs on any Node and on Bun: on Bun from the sources where they are, else as it was built.
import { existsSync } from "node:fs";

const source = new URL("../src/main.ts", import.meta.url);
const built = new URL("../dist/main.js", import.meta.url);
const main = process.versions.bun !== undefined && existsSync(source) ? source : built;
await import(main.href);
