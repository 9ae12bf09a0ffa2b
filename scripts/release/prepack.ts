// Runs before `npm pack` and `npm publish` in the folder of a package: builds it and adds the license.
import { copyFileSync } from "node:fs";
import { join, relative } from "node:path";
import { buildPackages } from "./build.ts";
import { root } from "./packages.ts";

await buildPackages([relative(root, process.cwd())]);
copyFileSync(join(root, "LICENSE"), join(process.cwd(), "LICENSE"));
