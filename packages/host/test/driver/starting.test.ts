import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { lineText } from "@signalbox/protocol";
import type { Launch } from "../../src/launch/launch.ts";
import { agentEnvironment, inheritedVariables } from "../../src/drivers/stdio/environment.ts";
import { stopsTasks } from "../../src/drivers/stdio/known-requests.ts";
import { bundledAgent, findAgent } from "../../src/drivers/stdio/find-agent.ts";
import { commandLine, options } from "../../src/drivers/stdio/options.ts";
import { extendSearchPath } from "../../src/drivers/stdio/search-path.ts";
import { Tail } from "../../src/drivers/stdio/tail.ts";
import { classifyVersion, isOlder, versionToStart } from "../../src/drivers/stdio/version.ts";
import { startFake, tempFolder } from "@signalbox/testing/fake-agent";

function program(path: string): string {
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, "#!/bin/sh\n");
  chmodSync(path, 0o755);
  return path;
}

describe("finding the program", () => {
  test("PATH comes first, then the usual install places, then the bundled one", () => {
    using home = tempFolder();
    const find = (PATH: string) =>
      findAgent(undefined, { PATH: extendSearchPath({ PATH, HOME: home.path }) });
    const clean = (path: string) => extendSearchPath({ PATH: path, HOME: home.path });
    const places = [
      ".local/bin",
      ".claude/local",
      ".nvm/versions/node/v9.0.0/bin",
      ".nvm/versions/node/v22.1.0/bin",
      ".fnm/aliases/default/bin",
      ".volta/bin",
      ".bun/bin",
    ];
    for (const place of places) program(join(home.path, place, "claude"));
    const path = clean("/nowhere").split(":");
    for (const place of places) expect(path).toContain(join(home.path, place));
    // Of two Node versions the newer one comes first.
    expect(path.findIndex((p) => p.includes("v22.1.0"))).toBeLessThan(
      path.findIndex((p) => p.includes("v9.0.0")),
    );
    expect(find("/nowhere").path).toBe(join(home.path, ".claude/local/claude"));
    const mine = program(join(home.path, "mine/claude"));
    expect(find(join(home.path, "mine"))).toMatchObject({ path: mine, via: "PATH" });
  });

  test("folders that npm puts first in PATH for a package's script are not used", () => {
    using home = tempFolder();
    const bin = join(home.path, "project/node_modules/.bin");
    program(join(bin, "claude"));
    expect(findAgent(undefined, { PATH: bin }).via).toBe("bundled");
    const mine = program(join(home.path, "mine/claude"));
    const PATH = `${bin}:${join(home.path, "mine")}`;
    expect(findAgent(undefined, { PATH }).path).toBe(mine);
  });

  test("the program of the Agent SDK is used last", () => {
    expect(findAgent(undefined, { PATH: "/nowhere" })).toMatchObject({
      path: bundledAgent() ?? "",
      via: "bundled",
    });
  });

  test("a script is run by node", () => {
    const cli = Bun.resolveSync("claude-code-2.1.7/cli.js", import.meta.dir);
    const found = findAgent(cli, { PATH: process.env["PATH"] });
    expect(found.args).toEqual([cli]);
    expect(found.command).toEndWith("node");
  });
});

describe("the agent's environment", () => {
  const secrets = {
    CLAUDECODE: "1",
    CLAUDE_CODE_OAUTH_TOKEN: "stale",
    CLAUDE_CODE_ENTRYPOINT: "cli",
    GITHUB_TOKEN: "secret",
    SIGNALBOX_TOKEN: "secret",
    NODE_OPTIONS: "--inspect",
    LD_PRELOAD: "evil.so",
  };

  test("contains the variables on the list and no others", () => {
    const passed = {
      HOME: "/home/ada",
      LANG: "C",
      LC_ALL: "C",
      HTTPS_PROXY: "http://proxy:3128",
      no_proxy: "localhost",
      NODE_EXTRA_CA_CERTS: "/ca.pem",
      ANTHROPIC_BASE_URL: "http://127.0.0.1:1",
      CLAUDE_CODE_USE_BEDROCK: "1",
      AWS_REGION: "eu-central-1",
      GOOGLE_APPLICATION_CREDENTIALS: "/key.json",
      CLOUD_ML_REGION: "europe-west1",
    };
    const { PATH, ...rest } = agentEnvironment({ ...passed, ...secrets, PATH: "/mine" }, {});
    expect(rest).toEqual(passed);
    expect(PATH?.split(":")[0]).toBe("/mine");
  });

  test("a launch may add variables, which take precedence, but never CLAUDECODE", () => {
    const env = agentEnvironment({ LANG: "C" }, { LANG: "de", MINE: "1", CLAUDECODE: "1" });
    expect(env).toMatchObject({ LANG: "de", MINE: "1" });
    expect(env).not.toHaveProperty("CLAUDECODE");
  });

  test("reaches the process unchanged, with a marker of the run", async () => {
    const inheritFrom = { ...secrets, PATH: process.env["PATH"], HOME: "/home/ada" };
    await using run = await startFake("shows its environment", {}, { inheritFrom });
    const first = await run.incoming[Symbol.asyncIterator]().next();
    const { text } = JSON.parse(lineText((first.value ?? [])[0] ?? "{}")) as { text: string };
    const env = JSON.parse(text) as Record<string, string>;
    expect(env["HOME"]).toBe("/home/ada");
    expect(env["SIGNALBOX_RUN"]).toMatch(/^[0-9a-f-]{36}$/);
    for (const name of Object.keys(secrets)) expect(env).not.toHaveProperty(name);
  });

  test("docs/environment.md names every variable of the list", () => {
    const page = readFileSync(join(import.meta.dir, "../../../../docs/environment.md"), "utf8");
    for (const name of Object.values(inheritedVariables).flat())
      expect(page).toContain(`\`${name}\``);
  });
});

describe("the command line", () => {
  const full = {
    folder: "/",
    model: "opus",
    fallbackModel: "sonnet",
    effort: "high",
    maxThinkingTokens: 1024,
    maxTurns: 3,
    maxBudgetUsd: 1.5,
    systemPrompt: "-be brief",
    appendSystemPrompt: "and kind",
    jsonSchema: { type: "object" },
    permissionMode: "plan",
    dangerouslySkipPermissions: true,
    allowedTools: ["Bash(git *)", "Edit"],
    disallowedTools: ["WebFetch"],
    addDirs: ["/a", "/b"],
    settings: { model: "x" },
    settingSources: ["user", "project"],
    strictMcpConfig: true,
    mcpServers: { s: { type: "http", url: "http://127.0.0.1:1" } },
    resume: { id: "abc", at: "def", fork: true },
    sessionId: "11111111-2222-4333-8444-555555555555",
  } as const;

  test("has every option of the launch, with values after an equals sign", () => {
    const { args, unsupportedOptions } = commandLine(full, "2.1.325");
    expect(unsupportedOptions).toEqual([]);
    expect(args).toMatchSnapshot();
    const named = options.map(({ flag }) => flag).filter((flag) => flag !== "--continue");
    for (const flag of named) expect(args.some((arg) => arg.split("=")[0] === flag)).toBe(true);
    expect(commandLine({ folder: "/", continue: true }, "2.1.325").args).toContain("--continue");
  });

  test("leaves out and names what a version does not know", () => {
    const left = (version: string) =>
      commandLine(full, version).unsupportedOptions.map(({ option }) => option);
    expect(left("2.1.7")).toEqual(["--forward-subagent-text", "--include-hook-events", "--effort"]);
    expect(left("2.1.80")).toEqual(["--forward-subagent-text", "--include-hook-events"]);
    expect(left("2.1.200")).toEqual(["--forward-subagent-text"]);
  });

  test("no value of any field becomes an option of its own, whatever it contains", () => {
    const signs = ["$(touch x)", "`touch x`", "; touch x", "| x", "&& x", "\n", "'", '"', "*", "="];
    const hostile = fc
      .tuple(
        fc.constantFrom("-", "--", "--help", "-c=", "", "$", ";"),
        fc.string({ unit: "grapheme" }),
        fc.constantFrom(...signs),
      )
      .map((parts) => parts.join("").replaceAll("\0", ""));
    const flags = new Set(options.map(({ flag }) => flag));
    fc.assert(
      fc.property(hostile, fc.uuid(), (value, sessionId) => {
        const launch = {
          folder: value,
          model: value,
          fallbackModel: value,
          effort: value,
          systemPrompt: value,
          appendSystemPrompt: value,
          jsonSchema: { [value]: value },
          permissionMode: value,
          allowedTools: [value],
          disallowedTools: [value],
          addDirs: [value],
          settings: value,
          settingSources: [value],
          mcpServers: { [value]: { command: value, args: [value] } },
          resume: { id: `x${value}`, at: value, fork: true },
          sessionId,
        } as unknown as Launch;
        const { args } = commandLine(launch, "2.1.325");
        for (const arg of args) expect(flags).toContain(arg.split("=", 1)[0] ?? "");
        expect(args.filter((arg) => arg.includes(value)).length).toBeGreaterThan(8);
      }),
    );
  });
});

describe("versions", () => {
  test("are tested, untested or unsupported", () => {
    expect(
      ["2.1.325", "2.1.7", "2.1.118", "2.1.400", "3.0.0", "2.0.76", "1.0.128"].map(classifyVersion),
    ).toEqual([
      "tested",
      "tested",
      "untested",
      "untested",
      "untested",
      "unsupported",
      "unsupported",
    ]);
  });

  test("a script in its npm package is not run for its version, and any other is", async () => {
    using place = tempFolder();
    const PATH = process.env["PATH"] ?? "";
    const of = async (name: string, folder: string) => {
      const at = join(place.path, folder);
      mkdirSync(at);
      const script = "console.log('2.1.9 (Claude Code)');";
      writeFileSync(join(at, "cli.js"), script);
      writeFileSync(join(at, "package.json"), JSON.stringify({ name, version: "2.1.8" }));
      const env = { PATH, SIGNALBOX_RUN: folder };
      return versionToStart(findAgent(join(at, "cli.js"), env), env, folder);
    };
    expect(await of("@anthropic-ai/claude-code", "published")).toEqual({ version: "2.1.8" });
    expect(await of("another", "other")).toEqual({ version: "2.1.9" });
    const cli = Bun.resolveSync("claude-code-2.1.7/cli.js", import.meta.dir);
    const found = { ...findAgent(cli, { PATH }), command: "/bin/false" };
    expect(await versionToStart(found, { PATH }, "old")).toEqual({ version: "2.1.7" });
  });

  test("are compared by number", () => {
    expect(isOlder("2.1.7", "2.1.40")).toBe(true);
    expect(isOlder("2.1.40", "2.1.7")).toBe(false);
    expect(isOlder("2.1.7", "2.1.7")).toBe(false);
    expect(isOlder("2.1.7-beta.1", "2.1.8")).toBe(true);
  });
});

test("a tail keeps the last bytes, however they are split", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: "binary-ascii" })),
      fc.integer({ min: 1, max: 50 }),
      (pieces, limit) => {
        const tail = new Tail(limit);
        for (const piece of pieces) tail.push(Buffer.from(piece));
        expect(tail.text).toBe(pieces.join("").slice(-limit));
      },
    ),
  );
});

test("[HB71] a version that cannot stop background work, or is unknown, is not asked to", () => {
  const can = ["2.1.7", "2.1.40", "unknown", "2.1.41", "2.1.325"].map(stopsTasks);
  expect(can).toEqual([false, false, false, true, true]);
});
