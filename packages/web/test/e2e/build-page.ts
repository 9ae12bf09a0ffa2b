import { join } from "node:path";

/** As `npm start` does, so that it is today's page that is looked at. */
export function buildPage(): void {
  const script = join(import.meta.dirname, "../../../../scripts/build-page-if-missing.mjs");
  const { exitCode } = Bun.spawnSync(["node", script], { stdout: "inherit", stderr: "inherit" });
  if (exitCode !== 0) throw new Error("the page could not be built");
}
