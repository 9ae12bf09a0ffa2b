import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type Driver, type Launch, type RunEnd, sdkDriver, stdioDriver } from "@signalbox/host";
import { toRunEnd } from "@signalbox/host/launch";
import { findBubblewrap, Isolation } from "@signalbox/host/isolation";
import { startDialedAgent } from "@signalbox/runner/dial";
import { until } from "@signalbox/testing/until";
import { AgentProcess } from "../../src/drivers/stdio/agent-process.ts";
import { seatbeltProfile } from "../../src/isolation/seatbelt-profile.ts";
import { bubblewrapArguments } from "../../src/sandbox/bubblewrap-arguments.ts";
import { hiddenPaths } from "../../src/sandbox/hidden-paths.ts";
import { findModelEndpoint } from "../../src/isolation/model-endpoint.ts";
import { openModelGate } from "../../src/isolation/model-gate.ts";
import { writablePaths } from "../../src/isolation/writable-paths.ts";
import { fakeLaunch, tempFolder } from "@signalbox/testing/fake-agent";
import { openStage } from "@signalbox/testing/agent-stage";
import {
  attackScript,
  bubblewrapMissing,
  everyAttack,
  openDataFolder,
} from "@signalbox/testing/attacks";

setDefaultTimeout(180_000);

const hasBubblewrap = bubblewrapMissing === undefined;
const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;
const env = { PATH: process.env["PATH"] ?? "" };

/** What a command prints that is started as an agent would be. */
async function runIsolated(
  isolation: Isolation,
  launch: Launch,
  command: readonly string[],
  more: Readonly<Record<string, string>> = {},
) {
  const plan = await isolation.plan(launch, launch.folder, env);
  const [program = "", ...args] = command;
  const wrapped = plan.wrap({ command: program, args, env: { ...env, ...more } });
  const options = { encoding: "utf8", env: wrapped.env } as const;
  const { stdout, stderr } = spawnSync(wrapped.command, wrapped.args, options);
  return `${stdout}${stderr}`;
}

/** Why the fake agent is not started. */
async function whyNot(driver: Driver, launch: Partial<Launch>): Promise<RunEnd | undefined> {
  try {
    await using _ = await driver.start(fakeLaunch("obeys", launch));
    return undefined;
  } catch (failure) {
    return toRunEnd(failure);
  }
}

describe("what an isolated agent sees", () => {
  test.if(hasBubblewrap)(
    "[DR8] a data folder inside of its own folder is empty; an agent that was installed there can be read",
    async () => {
      using folder = tempFolder();
      using hidden = openDataFolder(folder.path);
      writeFileSync(join(folder.path, "own.txt"), "its own");
      const isolation = new Isolation({ hide: [hidden.data], readable: [hidden.agents] });
      const look = `cat own.txt; find ${hidden.data} -type f; cat ${hidden.agents}/a/program; touch ${hidden.agents}/a/new`;
      const printed = await runIsolated(isolation, { folder: folder.path }, ["sh", "-c", look]);
      expect(printed).toContain("its own");
      expect(printed).toContain("an installed agent");
      expect(printed).not.toContain("hub.json");
      expect(printed).not.toContain("runner.lock");
      expect(existsSync(join(hidden.agents, "a", "new"))).toBe(false);
    },
  );

  const canBeNobody = hasBubblewrap && isRoot;
  test.if(hasBubblewrap)(
    "[DR8] variables of the C library count for the agent, and not for the program that isolates it",
    async () => {
      using hub = tempFolder();
      using folder = tempFolder();
      const isolation = new Isolation({ hide: [hub.path] });
      // The C library writes what it loads for each program into a file of its own.
      const variables = { LD_DEBUG: "files", LD_DEBUG_OUTPUT: join(folder.path, "loaded") };
      const printed = await runIsolated(isolation, { folder: folder.path }, ["env"], variables);
      expect(printed).toContain("LD_DEBUG=files");
      const files = readdirSync(folder.path).filter((name) => name.startsWith("loaded."));
      const loaded = files.map((name) => readFileSync(join(folder.path, name), "utf8")).join("");
      expect(loaded).toContain("needed by env");
      expect(loaded).not.toContain("bwrap");
    },
  );

  test.if(canBeNobody)("[DR8] an ordinary user's agent cannot do more than root's", async () => {
    using folder = tempFolder();
    using hidden = openDataFolder(folder.path);
    for (const path of [folder.path, join(hidden.data, "..")]) chmodSync(path, 0o755);
    spawnSync("chown", ["-R", `${NOBODY}:${NOBODY}`, hidden.data]);
    const script = join(folder.path, "attack.sh");
    cpSync(attackScript, script);
    const victim = Bun.spawn(["setpriv", ...asNobody, "sleep", "1000"]);
    const attack = (start: readonly string[]) => {
      const command = [...asNobody, ...start, "sh", script, hidden.data, String(victim.pid)];
      return spawnSync("setpriv", command, { encoding: "utf8", env }).stdout;
    };
    try {
      const open = attack([]);
      // Some kernels let nobody but root open the memory of a process that is not a child.
      const expected = everyAttack.filter((name) => name !== "open a process's memory");
      expect(expected.filter((name) => open.includes(name))).toEqual(expected);
      const setup = {
        hidden: hiddenPaths([hidden.data], folder.path),
        readable: [],
        network: true,
      };
      spawnSync("chown", ["-R", `${NOBODY}:${NOBODY}`, folder.path]); // what was made for browsers, too
      const { path = "" } = await findBubblewrap();
      const args = bubblewrapArguments({ ...setup, folder: folder.path, asRoot: false });
      expect(attack([path, ...args])).toBe("finished\n");
      // Claude Code's own sandbox is a bubblewrap inside of this one.
      const nested = [path, "--dev-bind", "/", "/", "--unshare-pid", "--proc", "/proc", "true"];
      const inside = spawnSync("setpriv", [...asNobody, path, ...args, ...nested], { env });
      expect(inside.status).toBe(0);
    } finally {
      victim.kill("SIGKILL");
      await victim.exited;
    }
  });
  const asNobody = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"];
});

describe("an isolation that cannot be had", () => {
  const isolation = new Isolation({
    hide: [],
    find: async () => ({ why: "bubblewrap is not installed: install it" }),
  });
  const driver = stdioDriver({ isolation });

  test("[DR10] the default one: the agent starts, and it is told why it is not isolated", async () => {
    await using run = await driver.start(fakeLaunch("obeys"));
    const why = "bubblewrap is not installed: install it";
    expect(run.isolation).toEqual({ profile: "default", isolated: false, why });
  });

  test("[DR10] a stricter one: the agent is not started, and it is told why", async () => {
    const end = await whyNot(driver, { isolation: "write-here-only" });
    expect(end?.kind).toBe("isolation-unavailable");
    expect(end?.sentence).toContain("bubblewrap is not installed");
  });

  test("[DR10] one of another name is refused by name", async () => {
    const end = await whyNot(driver, { isolation: "iron" });
    expect(end?.sentence).toContain('"iron" is none of default, no-network');
  });

  test("[DR10] a folder that is hidden from agents is no session's", async () => {
    using hidden = openDataFolder();
    const inside = new Isolation({ hide: [hidden.data] });
    const folder = join(hidden.data, "runner");
    const end = await whyNot(stdioDriver({ isolation: inside }), { folder });
    expect(end?.sentence).toContain("which is hidden from agents");
  });
});

test.if(hasBubblewrap && isRoot)(
  "[DR8] a sandbox of Claude Code's own that root's isolation keeps from starting is told, with what to do",
  async () => {
    using folder = tempFolder();
    const isolation = new Isolation({ hide: [] });
    const remark = async (launch: Partial<Launch>) => {
      const plan = await isolation.plan({ ...launch, folder: folder.path }, folder.path, env);
      return plan.state.remark;
    };
    expect(await remark({})).toBeUndefined();
    const settings = { sandbox: { enabled: true } };
    expect(await remark({ settings })).toContain("own sandbox");
    expect(await remark({ settings, isolation: "off" })).toBeUndefined();
    mkdirSync(join(folder.path, ".claude"));
    writeFileSync(join(folder.path, ".claude/settings.json"), JSON.stringify(settings));
    expect(await remark({})).toContain("own sandbox");
  },
);

test("[TS5] settings that are a pipe do not hold up the start of an agent", async () => {
  using folder = tempFolder();
  mkdirSync(join(folder.path, ".claude"));
  spawnSync("mkfifo", [join(folder.path, ".claude/settings.json")]);
  // In a process of its own, which can be ended: a read that waits would stop this one.
  const file = join(import.meta.dir, "../../src/isolation/own-sandbox.ts");
  const look = `import { wantsOwnSandbox } from ${JSON.stringify(file)}; console.log(wantsOwnSandbox({ folder: "." }, ".", {}))`;
  const options = { cwd: folder.path, env, encoding: "utf8", timeout: 60_000 } as const;
  expect(spawnSync(process.execPath, ["-e", look], options).stdout).toBe("false\n");
});

test.if(hasBubblewrap)("[DR8] an agent that is dialed from here is isolated, too", async () => {
  const { agentPath = "", environment, inheritFrom, folder } = fakeLaunch("obeys");
  const { process: agent } = await startDialedAgent({
    command: [agentPath],
    folder,
    environment: { ...inheritFrom, ...environment },
    isolation: new Isolation({ hide: [] }),
  });
  const commandLine = () => readFileSync(`/proc/${agent.pid}/cmdline`, "utf8");
  await until("it runs inside bubblewrap", () => commandLine().includes("--unshare-pid"));
  await Promise.all([agent.close(), Array.fromAsync(agent.incoming)]);
});

test.if(hasBubblewrap)(
  "[DR10] a bubblewrap that fails at a start is named as what kept the agent from starting",
  async () => {
    const { path = "" } = await findBubblewrap();
    const broken = { ...(await new Isolation({ hide: [] }).plan({ folder: "/" }, "/", env)) };
    broken.wrap = ({ command, args, ...others }) => ({
      ...others,
      command: path,
      args: ["--bind", "/no/such/folder", "/x", "--", command, ...args],
    });
    const setting = { folder: "/", env, runId: "r", launch: { folder: "/" }, isolation: broken };
    const started = await AgentProcess.start({ ...setting, command: "true", args: [] });
    for await (const _ of started.incoming);
    expect(await started.closed).toMatchObject({
      kind: "not-started",
      why: expect.stringContaining("bubblewrap could not isolate it: Can't find source path"),
    });
  },
);

describe("write-here-only", () => {
  test.if(hasBubblewrap)(
    "[DR11] the real agent works, keeps its conversation, and writes nowhere else",
    async () => {
      using elsewhere = tempFolder();
      const outside = `/var/lib/signalbox-test-${crypto.randomUUID()}`;
      const isolation = new Isolation({ hide: [] });
      await using stage = await openStage("", stdioDriver({ isolation }));
      mkdirSync(join(stage.home, ".claude"), { recursive: true });
      const launch = { isolation: "write-here-only" };
      const talk = await stage.start("2.1.325", launch, { onAsk: () => ({ behavior: "allow" }) });
      const command = `touch here.txt; git init -q . && git -c user.name=a -c user.email=a@b.c commit -q --allow-empty -m x && echo committed; touch ${outside} || echo refused; touch ${elsewhere.path}/temporary`;
      await talk.turn(`::tool Bash ${JSON.stringify({ command })}\n::say done`);
      expect(talk.toolResults).toContain("refused");
      expect(talk.toolResults).toContain("committed");
      expect(stage.has("here.txt")).toBe(true);
      expect(existsSync(outside)).toBe(false);
      expect(existsSync(join(elsewhere.path, "temporary"))).toBe(true);
      const id = talk.system("init")[0]?.session_id ?? "";
      await talk.host.stop();
      const again = await stage.start("2.1.325", { ...launch, resume: { id } });
      expect((await again.turn("::say still here")).is_error).toBe(false);
    },
  );
});

test("[DR11] write-here-only: a repository's Git folder with a misleading name opens no other one", async () => {
  using folder = tempFolder();
  using outside = tempFolder();
  const bytes = (name: string) => Buffer.from(join(folder.path, name), "latin1");
  // Each Git folder has a neighbor with the name that careless reading would make of its own.
  for (const [name, mistaken] of [
    ["spaced ", "spaced"],
    ["odd\xff", "odd\uFFFD"],
  ] as const) {
    const made = join(folder.path, "made");
    spawnSync("git", ["init", "-q", "--bare", made]);
    renameSync(made, bytes(name));
    symlinkSync(outside.path, join(folder.path, mistaken));
    writeFileSync(join(folder.path, ".git"), Buffer.concat([Buffer.from("gitdir: "), bytes(name)]));
    const writable = await writablePaths({ folder: folder.path }, folder.path, {});
    expect(writable).toContain(folder.path);
    expect(writable).not.toContain(outside.path);
  }
});

test.if(hasBubblewrap)(
  "[DR11] write-here-only: what later sessions run or obey cannot be written, changed or put aside",
  async () => {
    const isolation = new Isolation({ hide: [] });
    await using stage = await openStage("", stdioDriver({ isolation }));
    const config = join(stage.home, ".claude");
    mkdirSync(config, { recursive: true });
    writeFileSync(join(config, "status.sh"), "echo before");
    const launch = { isolation: "write-here-only" };
    const talk = await stage.start("2.1.325", launch, { onAsk: () => ({ behavior: "allow" }) });
    const command = [
      `cd ${config}`,
      "echo planted > settings.json",
      "rm -f settings.json; mv settings.json x; mv ../.claude ../x",
      "echo planted > planted && mv planted settings.json",
      "for name in agents commands hooks plugins skills; do echo planted > $name/planted; done",
      "echo planted > status.sh; echo planted > projects/own; echo tried",
    ].join("; ");
    const turn = await talk.turn(`::tool Bash ${JSON.stringify({ command })}\n::say done`);
    expect(turn).toMatchObject({ is_error: false, result: "done" });
    expect(talk.toolResults).toContain("tried");
    expect(JSON.parse(readFileSync(join(config, "settings.json"), "utf8"))).toEqual({});
    expect(readFileSync(join(config, "status.sh"), "utf8")).toBe("echo before");
    for (const name of ["agents", "commands", "hooks", "plugins", "skills"]) {
      expect(existsSync(join(config, name, "planted"))).toBe(false);
    }
    expect(existsSync(join(config, "projects/own"))).toBe(true); // conversations are kept as before
  },
);

describe("no-network", () => {
  test.if(hasBubblewrap).each(["stdio", "sdk"] as const)(
    "[DR13] through %s the real agent reaches its model, and its commands reach nothing else",
    async (name) => {
      using server = Bun.serve({
        port: 0,
        hostname: "127.0.0.1",
        fetch: () => new Response("out"),
      });
      const isolation = new Isolation({ hide: [] });
      const driver = name === "sdk" ? sdkDriver({ isolation }) : stdioDriver({ isolation });
      await using stage = await openStage("", driver);
      const launch = { isolation: "no-network" };
      const talk = await stage.start("2.1.325", launch, { onAsk: () => ({ behavior: "allow" }) });
      const command = `curl -sS -m 5 http://127.0.0.1:${server.port} || echo refused`;
      const turn = await talk.turn(`::tool Bash ${JSON.stringify({ command })}\n::say done`);
      expect(turn).toMatchObject({ is_error: false, result: "done" });
      expect(talk.toolResults).toContain("refused");
      expect(talk.toolResults).not.toContain("out\n");
      await talk.host.stop();
      expect((await talk.closed()).kind).toBe("stopped");
    },
  );

  test("[DR13] a model elsewhere is reached through a proxy that knows its host alone", async () => {
    using server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("in") });
    const allowed = `127.0.0.1:${server.port}`;
    const gate = await openModelGate({ kind: "proxy", hosts: [allowed] }, []);
    try {
      expect(await askGate(gate.socket, allowed)).toContain("in");
      expect(await askGate(gate.socket, "127.0.0.1:1")).toContain("403 Forbidden");
      expect(gate.environment["HTTPS_PROXY"]).toBe(`http://127.0.0.1:${gate.port}`);
    } finally {
      gate.close();
    }
  });

  test("[DR13] where the model is comes from the environment; what cannot be offered is told", () => {
    expect(findModelEndpoint({})).toMatchObject({ kind: "proxy" });
    const https = findModelEndpoint({ ANTHROPIC_BASE_URL: "https://models.example" });
    expect(https).toMatchObject({ hosts: expect.arrayContaining(["models.example:443"]) });
    const here = { ANTHROPIC_BASE_URL: "http://127.0.0.1:81" };
    expect(findModelEndpoint(here)).toEqual({ kind: "port", port: 81 });
    for (const env of [
      { CLAUDE_CODE_USE_BEDROCK: "1" },
      { HTTPS_PROXY: "http://proxy" },
      { ANTHROPIC_BASE_URL: "http://10.0.0.1" },
    ]) {
      expect(findModelEndpoint(env as unknown as Record<string, string>)).toBeString();
    }
  });

  /** Asks for a page of a server through the gate, and gives all that came back. */
  async function askGate(socket: string, target: string): Promise<string> {
    const client = connect(socket);
    client.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`);
    client.write(`GET / HTTP/1.1\r\nHost: ${target}\r\nConnection: close\r\n\r\n`);
    return text(client);
  }
});

test("[DR8] the profile for macOS hides the same and names what may be read and written", () => {
  const hidden = [{ path: "/Users/a/data", isFolder: true }];
  const profile = seatbeltProfile({ hidden, readable: ["/Users/a/data/agents"], writable: ["/w"] });
  expect(profile).toContain('(deny file-read* file-write* (subpath "/Users/a/data"))');
  expect(profile).toContain('(allow file-read* (subpath "/Users/a/data/agents"))');
  expect(profile).toContain('(allow file-write* (subpath "/w")');
  expect(profile).toContain("(deny signal)");
});
