import { spawnSync } from "node:child_process";
import { networkInterfaces } from "node:os";

/** What this machine lets a test do; tests that need more are skipped by name. */
export const hasStrace = spawnSync("strace", ["-V"]).status === 0;
export const isRoot = process.getuid?.() === 0;

export function hasIpv6(): boolean {
  return Object.values(networkInterfaces()).some((list) =>
    list?.some(({ address }) => address === "::1"),
  );
}
