import type { Tarball } from "./pack.ts";
import { run } from "./run.ts";

/** Publishes in the order given. What an earlier, interrupted release published is left as it is. */
export async function publishTarballs(tarballs: readonly Tarball[]): Promise<void> {
  // npm proves which workflow built a package; elsewhere there is nothing to prove it with.
  const provenance = process.env["GITHUB_ACTIONS"] === "true" ? ["--provenance"] : [];
  for (const { name, version, path } of tarballs) {
    if (await isPublished(name, version)) {
      console.log(`${name} ${version} is published already`);
      continue;
    }
    await run("npm", ["publish", path, "--access", "public", ...provenance]);
    console.log(`${name} ${version} is published`);
  }
}

async function isPublished(name: string, version: string): Promise<boolean> {
  try {
    const found = await run("npm", ["view", `${name}@${version}`, "version", "--json"]);
    return found.trim() !== "";
  } catch (failure) {
    if (failure instanceof Error && failure.message.includes("E404")) return false;
    throw failure;
  }
}
