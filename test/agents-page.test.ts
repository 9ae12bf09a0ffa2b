import { describe, expect, test } from "bun:test";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { drawing } from "./drawing.ts";

const root = join(import.meta.dir, "..");
const page = readFileSync(join(root, "AGENTS.md"), "utf8");
const table = /^## Where things live\n([\s\S]*?)^## /m.exec(page)?.[1] ?? "";

/**
 * The paths of the table's first column. A row may shorten those after its first, which stand beside it:
 * `packages/cli/src/serve`, `attach`.
 */
const listed = [...table.matchAll(/^\| (`[^|]*) \|/gm)].flatMap(([, cell = ""]) => {
  const [first = "", ...others] = [...cell.matchAll(/`([^`]+)`/g)].map(([, path = ""]) => path);
  const beside = others.map((path) =>
    path.startsWith("packages/") ? path : join(dirname(first), path),
  );
  return [first, ...beside];
});

describe("AGENTS.md", () => {
  test("lists folders and files that exist", () => {
    const paths = listed.filter((path) => !path.includes("<"));
    expect(paths.length).toBeGreaterThan(60);
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test("lists every folder of every package", () => {
    const folders = globSync("packages/*/src/*/", { cwd: root }).map((path) =>
      path.replace(/\/$/, ""),
    );
    const known = (folder: string) =>
      listed.some(
        (path) => path === folder || path.startsWith(`${folder}/`) || folder.startsWith(`${path}/`),
      );
    expect(folders.length).toBeGreaterThan(60);
    expect(folders.filter((folder) => !known(folder))).toEqual([]);
  });

  test("draws every package", () => {
    const [, picture = ""] = /^## The import drawing\n[\s\S]*?```\n([\s\S]*?)```/m.exec(page) ?? [];
    const drawn = Object.keys(drawing).filter((name) => !new RegExp(`\\b${name}\\b`).test(picture));
    expect(drawn).toEqual([]);
  });
});
