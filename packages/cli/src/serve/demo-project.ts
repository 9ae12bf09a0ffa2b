import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { demoScript } from "@signalbox/model";

/** Beside both `src` and `dist`, so this file finds it from either. */
const source = fileURLToPath(new URL("../../demo", import.meta.url));

/** What the model says in the demo's sessions; any other prompt gets the tour. */
export function readDemoScript(): string {
  return `${demoScript()}\n${readFileSync(join(source, "sessions.script"), "utf8")}`;
}

/** Commands of the demo's project that run without a request, so that sessions get on by themselves. */
const allowed = ["Bash(npm test)", "Bash(node bench/measure.js:*)"];

/** Copies the project, commits it if Git is installed, and writes the settings of the agent's home. */
export function createDemoProject(folder: string, home: string): void {
  cpSync(join(source, "project"), folder, { recursive: true });
  const settings = join(home, ".claude");
  mkdirSync(settings, { recursive: true });
  writeFileSync(
    join(settings, "settings.json"),
    JSON.stringify({ permissions: { allow: allowed } }),
  );
  const author = ["-c", "user.name=Signalbox demo", "-c", "user.email=demo@localhost"];
  for (const args of [
    ["init", "--quiet", "--initial-branch=main"],
    ["add", "--all"],
    [...author, "commit", "--quiet", "--message=Begin the importer"],
  ])
    // Without Git the demo works as well: only its changes cannot be compared with a commit.
    spawnSync("git", args, { cwd: folder, env: { PATH: process.env["PATH"], HOME: home } });
}
