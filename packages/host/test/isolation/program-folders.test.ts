import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Isolation } from "@signalbox/host/isolation";
import { bubblewrapMissing } from "@signalbox/testing/attacks";
import { repository } from "@signalbox/testing/programs";
import { guardedProgramFolders, programFolders } from "../../src/sandbox/program-folders.ts";

setDefaultTimeout(180_000);

const place = realpathSync(mkdtempSync(join(tmpdir(), "signalbox-program-")));
afterAll(() => rmSync(place, { recursive: true }));

function make(path: string): string {
  const file = join(place, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, "");
  return file;
}

test("[DR14] the program is the clone, or the packages where they are installed", () => {
  expect(programFolders()).toContain(realpathSync(repository));
  const bun = make("npx/node_modules/bun/bin/bun.exe");
  const npx = make("npx/node_modules/@signalbox/host/src/sandbox/x.ts");
  expect(programFolders(npx, bun)).toEqual([join(place, "npx/node_modules")]);
  const global = make("lib/node_modules/signalbox/node_modules/@signalbox/host/dist/sandbox/x.js");
  const elsewhere = make("bin/bun");
  expect(programFolders(global, elsewhere)).toEqual([
    join(place, "lib/node_modules/signalbox"),
    elsewhere,
  ]);
});

test("[DR14] who works in the program's folder, or around it, is not kept from writing there", () => {
  const guarded = (folder: string) => guardedProgramFolders([folder], ["/opt/signalbox"]);
  expect(guarded("/work")).toEqual({ guarded: ["/opt/signalbox"], isOpen: false });
  for (const folder of ["/opt", "/opt/signalbox", "/opt/signalbox/packages"]) {
    expect(guarded(folder)).toEqual({ guarded: [], isOpen: true });
  }
});

test.skipIf(bubblewrapMissing !== undefined)(
  "[DR14] an isolated agent does not change the program",
  async () => {
    const canary = join(repository, "packages/planted-by-a-test");
    const plan = await new Isolation({ hide: [] }).plan({ folder: place }, place, {});
    try {
      const script = `touch ${canary}; touch ${place}/works`;
      const { command, args } = plan.wrap({ command: "sh", args: ["-c", script], env: {} });
      spawnSync(command, [...args]);
      expect(existsSync(join(place, "works"))).toBe(true);
      expect(existsSync(canary)).toBe(false);
    } finally {
      plan.release();
      rmSync(canary, { force: true });
    }
  },
);
