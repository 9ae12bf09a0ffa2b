import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root } from "./packages.ts";
import { run } from "./run.ts";

/** Builds these packages anew, so that no file of a module that was removed stays in `dist`. */
export async function buildPackages(folders: readonly string[]): Promise<void> {
  const isPage = (folder: string) => existsSync(join(root, folder, "vite.config.ts"));
  const libraries = folders.filter((folder) => !isPage(folder));
  for (const folder of libraries) {
    rmSync(join(root, folder, "dist"), { recursive: true, force: true });
  }
  if (libraries.length > 0) await run("tsc", ["-b", ...libraries]);
  // Whatever the shell says, it is the page that people get.
  const env = { ...process.env, NODE_ENV: "production" };
  for (const folder of folders.filter(isPage)) {
    await run("vite", ["build", folder, "--logLevel", "error"], { env });
  }
}
