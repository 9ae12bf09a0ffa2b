import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openTerminalStage, type Person } from "./terminal-stage.ts";

setDefaultTimeout(180_000);

const QUESTION = "Do you trust this folder? [y/N] ";
const SERVER = "Start it, now and from now on? [y/N] ";

const hook = { hooks: [{ type: "command", command: "touch hooked.txt" }] };
const settings = {
  permissions: {
    allow: ["Bash(touch:*)", "Bash(\u001b[2J\u202eevil)"],
    additionalDirectories: ["/usr"],
  },
  env: { COLOUR: "blue" },
  hooks: { SessionStart: [hook] },
};
const files = {
  ".claude/settings.json": JSON.stringify(settings),
  ".mcp.json": JSON.stringify({
    mcpServers: { shelf: { command: "no-such-shelf", args: ["-v"] } },
  }),
};

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, "utf8"));
const leave = (person: Person) => {
  person.type("\u0003\u0003");
  return person.exited;
};

describe("on a terminal, in an untrusted folder", () => {
  test("[AG54] nothing starts after a no, no answer or leaving; a yes is asked for once, and servers afterwards", async () => {
    await using stage = await openTerminalStage(files);
    const notes = join(stage.home, ".claude.json");
    for (const answer of ["\r", "no\r", "\u0003", "\u0004"]) {
      const wary = stage.start();
      await wary.sees(QUESTION);
      wary.type(answer);
      await wary.sees("Nothing was started.");
      expect(await wary.exited).toBe(1);
    }
    expect(existsSync(notes)).toBe(false);
    expect(existsSync(join(stage.folder, "hooked.txt"))).toBe(false);

    writeFileSync(notes, JSON.stringify({ theme: "dark", projects: { "/other": { a: 1 } } }));
    const person = stage.start();
    const asked = await person.sees(QUESTION);
    for (const named of [
      stage.folder,
      "SessionStart: touch hooked.txt",
      "Bash(touch:*)",
      "Bash([2Jevil)",
      "/usr",
      "COLOUR=blue",
      "shelf",
    ]) {
      expect(asked).toContain(named);
    }
    person.type("perhaps\r");
    await person.sees(QUESTION);
    person.type("y\r");
    expect(await person.sees(SERVER)).toContain("no-such-shelf -v");
    person.type("\r");
    await person.sees("> ");
    expect(readJson(notes)).toEqual({
      theme: "dark",
      projects: { "/other": { a: 1 }, [stage.folder]: { hasTrustDialogAccepted: true } },
    });
    const local = join(stage.folder, ".claude/settings.local.json");
    expect(readJson(local)).toEqual({ disabledMcpjsonServers: ["shelf"] });
    person.type('::tool Bash {"command":"touch unasked.txt"}\r');
    await person.sees("Done.");
    expect(existsSync(join(stage.folder, "hooked.txt"))).toBe(true);
    expect(existsSync(join(stage.folder, "unasked.txt"))).toBe(true);
    expect(await leave(person)).toBe(0);

    const again = stage.start();
    expect(await again.sees("> ")).not.toContain("[y/N]");
    expect(await leave(again)).toBe(0);
  });

  test("[AG54] trust in the home folder is for one session; folders below a trusted one need no question unless they are repositories", async () => {
    await using stage = await openTerminalStage();
    const config = join(stage.home, "config");
    mkdirSync(config);
    const environment = { CLAUDE_CONFIG_DIR: config };
    const atHome = stage.start({ folder: stage.home, environment });
    expect(await atHome.sees(QUESTION)).toContain("for this time only");
    atHome.type("y\r");
    await atHome.sees("> ");
    expect(await leave(atHome)).toBe(0);
    expect(existsSync(join(config, ".claude.json"))).toBe(false);

    const below = join(stage.folder, "below");
    mkdirSync(below);
    const person = stage.start({ environment, columns: 60 });
    const asked = await person.sees(QUESTION);
    expect(asked.split("\r\n").filter((line) => line.length > 60 && !line.includes("/"))).toEqual(
      [],
    );
    person.type("yes\r");
    await person.sees("> ");
    expect(await leave(person)).toBe(0);
    expect(existsSync(join(config, ".claude.json"))).toBe(true);

    const child = stage.start({ environment, folder: below });
    expect(await child.sees("> ")).not.toContain(QUESTION);
    expect(await leave(child)).toBe(0);
    spawnSync("git", ["init", "-q", below]);
    const inside = join(below, "src");
    mkdirSync(inside);
    const own = stage.start({ environment, folder: inside });
    expect(await own.sees(QUESTION)).toContain("the whole repository");
    own.type("n\r");
    expect(await own.exited).toBe(1);
  });

  test("[AG54] state that cannot be parsed is not changed", async () => {
    await using stage = await openTerminalStage();
    const notes = join(stage.home, ".claude.json");
    writeFileSync(notes, "{ torn");
    const person = stage.start();
    await person.sees(QUESTION);
    person.type("y\r");
    await person.sees("It holds for this time only");
    await person.sees("> ");
    expect(await leave(person)).toBe(0);
    expect(readFileSync(notes, "utf8")).toBe("{ torn");
  });
});
