import { readFileSync } from "node:fs";
import type { Plugin } from "vite";

/** Writes the types of the package: a module that declares them and holds nothing else. */
export function declarations(file: string): Plugin {
  return {
    name: "declarations",
    generateBundle() {
      this.emitFile({ type: "asset", fileName: "index.d.ts", source: readFileSync(file, "utf8") });
    },
  };
}
