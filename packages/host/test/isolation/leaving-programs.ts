// A process that adopts orphans and runs programs of its own which leave a dead child behind, as bubblewrap does
// with its helper: a shell's, and Git's in bubblewrap. Prints what is left of them.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { adoptOrphans } from "@signalbox/host/agents";
import { git, isolateGit } from "@signalbox/host/git";
import { until } from "@signalbox/testing/until";
import { listChildren } from "./dead-children.ts";

using _ = await adoptOrphans();
await promisify(execFile)("/bin/sh", ["-c", "true & exec true"]);
isolateGit([]);
for (let nth = 0; nth < 10; nth++) await git("/", ["--version"]);
await until("it was left", () => listChildren() !== "");
await until("nothing is left", () => listChildren() === "");
console.log("all gone");
process.exit(0);
