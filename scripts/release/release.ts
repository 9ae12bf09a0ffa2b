// `npm run release` builds, packs and publishes every package; with `-- --dry-run` it publishes nothing.
// docs/releasing.md describes a release.
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { buildPackages } from "./build.ts";
import { packPackages } from "./pack.ts";
import { listPublishedPackages, readManifest, root } from "./packages.ts";
import { publishTarballs } from "./publish.ts";
import { findObstacles, readRepositoryState } from "./readiness.ts";

const { values } = parseArgs({
  options: {
    "dry-run": { type: "boolean", default: false },
    out: { type: "string", default: join(root, "release") },
  },
});
const out = values.out;
const packages = listPublishedPackages();
const { repository } = readManifest(".");

const obstacles = findObstacles(packages, await readRepositoryState());
for (const obstacle of obstacles) console.error(`release: ${obstacle}`);
if (obstacles.length > 0 && !values["dry-run"]) {
  console.error("release: nothing was built or published");
  process.exit(1);
}

await buildPackages(packages.map(({ folder }) => folder));
if (existsSync(out)) rmSync(out, { recursive: true });
mkdirSync(out, { recursive: true });
const tarballs = await packPackages(packages, { out, ...(repository && { repository }) });
for (const { path, files } of tarballs) {
  console.log(`${relative(process.cwd(), path)}: ${files.length} files`);
}
if (values["dry-run"]) console.log("dry run: nothing was published");
else await publishTarballs(tarballs);
