import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dir, "..");

/** What hands a text to a shell: of Node, of Bun, and the option that does it behind one's back. */
const shells = [
  /\bshell:\s*(?!false\b)["'`\w]/,
  /\bimport\s*\{[^}]*\bexec(?:Sync)?\b[^}]*\}\s*from\s*"(?:node:)?child_process"/,
  /\bchild_process\.exec(?:Sync)?\(/,
  /\bimport\s*\{[^}]*\$[^}]*\}\s*from\s*"bun"/,
  /\bBun\.\$/,
  /\b(?:spawn|spawnSync|execFile)\(\s*["'](?:sh|bash|cmd)["']/,
];

function shellsIn(text: string): string[] {
  return shells.flatMap((shell) => shell.exec(text)?.[0] ?? []);
}

describe("processes", () => {
  test("are started by a list of arguments, never through a shell (C22)", () => {
    const found = [...new Bun.Glob("packages/*/src/**/*.{ts,tsx,mjs}").scanSync({ cwd: root })];
    expect(found.length).toBeGreaterThan(100);
    const guilty = found.flatMap((path) => {
      const used = shellsIn(readFileSync(join(root, path), "utf8"));
      return used.map((shell) => `${path}: ${shell}`);
    });
    expect(guilty).toEqual([]);
  });

  test("a shell is recognised in each of its spellings", () => {
    const spellings = [
      'spawn("ls", { shell: true })',
      'spawn("ls", { shell: "/bin/sh" })',
      'import { exec } from "node:child_process";',
      'import { spawn, execSync } from "child_process";',
      "child_process.exec(command)",
      'import { $ } from "bun";',
      "await Bun.$`ls`",
      'spawn("sh", ["-c", text])',
    ];
    for (const spelling of spellings) expect(shellsIn(spelling)).not.toEqual([]);
    expect(shellsIn('import { execFile } from "node:child_process";')).toEqual([]);
    expect(shellsIn('spawn(program, args, { shell: false }); /x/.exec("y")')).toEqual([]);
  });
});
