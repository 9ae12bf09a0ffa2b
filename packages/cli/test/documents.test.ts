import { expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deviceRoles } from "@signalbox/api/schemas";
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

test("the help of each command fits a terminal, and says which data folder is used", async () => {
  await using stage = await openStage();
  const { stdout: list } = await stage.signalbox(["--help"]);
  const commands = [...list.matchAll(/^ {2}([a-z]+) +[A-Z]/gm)].map(([, name = ""]) => name);
  expect(commands.length).toBeGreaterThan(20);
  const pages = commands.map(async (name) => {
    const { stdout } = await stage.signalbox([name, "--help"]);
    const wide = stdout.split("\n").filter((line) => line.length > 100);
    const hasFolder = stdout.includes("--data FOLDER");
    return { name, wide, namesVariable: !hasFolder || stdout.includes("$SIGNALBOX_DATA") };
  });
  expect(await Promise.all(pages)).toEqual(
    commands.map((name) => ({ name, wide: [], namesVariable: true })),
  );
});

test("what promises that nothing is lost names the exception beside it", () => {
  const texts = [read("../README.md"), read("../packages/cli/README.md"), read("command-line.md")];
  for (const text of texts) {
    const promises = text.split("\n").filter((line) => /nothing .*\blost\b/i.test(line));
    expect(promises).toHaveLength(1);
    expect(promises[0]).toMatch(/except/);
  }
});

test("docs/security.md says what each role may do", () => {
  const roles = read("security.md");
  for (const role of deviceRoles) expect(roles).toMatch(new RegExp(`\\b${role}\\b`));
  expect(roles).toContain("four roles");
});
