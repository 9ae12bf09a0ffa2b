import { expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openStage } from "@signalbox/testing/cli-stage";

setDefaultTimeout(180_000);

const root = join(import.meta.dir, "../../..");
const read = (name: string) => readFileSync(join(root, "docs", name), "utf8");

test("the first command of docs/libraries.md for an agent of one's own asks, and answers", async () => {
  const [, path = "", prompt = ""] =
    /^npx signalbox run --agent (\S+) "([^"]+)"/m.exec(read("libraries.md")) ?? [];
  await using stage = await openStage();
  writeFileSync(stage.at("here.txt"), "");
  const where = ["--agent", join(root, path), "--folder", stage.folder];
  const { terminal, exited } = stage.onTerminal(["run", ...where, prompt]);
  await terminal.answer("y");
  await terminal.until("here.txt");
  expect(await exited).toBe(0);
});

test("what needs a hub with a relay says so, in docs/command-line.md and in the help", async () => {
  await using stage = await openStage();
  const rows = read("command-line.md").split("\n");
  for (const command of ["dial", "discover", "relay"]) {
    const { stdout } = await stage.signalbox([command, "--help"]);
    expect(stdout.replaceAll(/\s+/g, " ")).toMatch(/relay (?:of the hub )?(?:is|must be) on/);
    const row = rows.find((line) => line.startsWith(`| \`${command}`));
    expect(row).toMatch(/relay is on/);
  }
});
