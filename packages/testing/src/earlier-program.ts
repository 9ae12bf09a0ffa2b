import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "../../..");

/** Why the program of a commit cannot be had here; undefined: it can. */
export function explainMissingProgram(commit: string): string | undefined {
  const { exitCode } = Bun.spawnSync(["git", "cat-file", "-e", `${commit}^{commit}`], {
    cwd: root,
    stderr: "ignore",
  });
  return exitCode === 0 ? undefined : `commit ${commit} is not in this clone; fetch its history`;
}

/**
 * The whole program as it was at a commit, in a temporary folder, with its page built. Its own packages
 * are those of the commit; the packages of others are the ones that are installed here.
 */
export function openEarlierProgram(commit: string) {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-earlier-"));
  run(["sh", "-c", `git archive ${commit} | tar x -C "$1"`, "sh", folder], root);
  linkPackages(folder);
  const vite = join(root, "node_modules/vite/bin/vite.js");
  run(["node", vite, "build", "packages/web", "--logLevel", "error"], folder);
  return {
    folder,
    /** What `bun` runs as the command `signalbox`. */
    main: join(folder, "packages/cli/src/main.ts"),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function linkPackages(folder: string): void {
  const installed = join(root, "node_modules");
  const modules = join(folder, "node_modules");
  mkdirSync(join(modules, "@signalbox"), { recursive: true });
  for (const name of readdirSync(installed)) {
    if (["@signalbox", "signalbox", ".bin"].includes(name)) continue;
    symlinkSync(join(installed, name), join(modules, name));
  }
  for (const name of readdirSync(join(folder, "packages"))) {
    if (!existsSync(join(folder, "packages", name, "package.json"))) continue;
    const place = name === "cli" ? "signalbox" : join("@signalbox", name);
    symlinkSync(join(folder, "packages", name), join(modules, place));
  }
}

function run(command: string[], cwd: string): void {
  const { exitCode, stderr } = Bun.spawnSync(command, {
    cwd,
    env: { ...process.env, NODE_ENV: "production" },
    stderr: "pipe",
  });
  if (exitCode !== 0) throw new Error(`${command.join(" ")} failed: ${stderr.toString()}`);
}
