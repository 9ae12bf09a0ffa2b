import { readFileSync } from "node:fs";
import { allProcesses } from "../../src/drivers/stdio/process-tree.ts";

/** The processes that sleep for exactly so long. */
export function sleeping(seconds: string): number[] {
  return allProcesses().filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8") === `sleep\0${seconds}\0`;
    } catch {
      return false; // gone meanwhile
    }
  });
}
