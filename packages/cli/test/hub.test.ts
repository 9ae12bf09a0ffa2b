import { joinContext } from "@signalbox/protocol/wire";
import { isPlainLine } from "@signalbox/protocol/text";
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createDeviceSigningKey, createSigningKey } from "@signalbox/runner/keys";
import { connect } from "@signalbox/client";
import { pairDevice } from "@signalbox/testing/paired-device";
import { bundledAgent } from "@signalbox/host/agents";
import { type HubStage, openHubStage } from "@signalbox/testing/hub-stage";
import { bubblewrapMissing } from "@signalbox/testing/attacks";
import { openStage } from "@signalbox/testing/cli-stage";
import { until } from "@signalbox/testing/until";

setDefaultTimeout(180_000);

let hub: HubStage;
beforeAll(async () => void (hub = await openHubStage()));
afterAll(() => hub[Symbol.asyncDispose]());

const getId = (stdout: string) => stdout.trim().split("\n")[0] ?? "";

describe("the first start", () => {
  test("prints one line, with a link that pairs a browser once", async () => {
    expect(hub.firstLine).toMatch(/^Open to pair .*: http:\/\/localhost:\d+\/#pair=[0-9A-Z-]+$/);
    const { device } = await hub.admin.hub();
    expect(device).toMatchObject({ name: "a browser", role: "admin" });
  });

  test("leaves what programs of the same user need, for their eyes alone", () => {
    expect(statSync(join(hub.data, "hub.json")).mode & 0o777).toBe(0o600);
    expect(statSync(hub.data).mode & 0o777).toBe(0o700);
  });

  test("of a second hub on the same folder is refused", async () => {
    const { exit, stderr } = await hub.command(["serve", "--port", "0"]);
    expect(exit).toBe(3);
    expect(stderr).toContain(
      `A hub is already running at ${hub.admin.url.replace("localhost", "127.0.0.1")}`,
    );
    expect(stderr).toContain(
      `(process ${hub.serving.child.pid}) with the data folder ${hub.data}.`,
    );
  });
});

test("a proxy that the environment names is not asked for the hub of this machine", async () => {
  const asked: string[] = [];
  using proxy = Bun.serve({
    port: 0,
    fetch({ url }) {
      asked.push(url);
      return new Response("I am no hub.", { status: 502 });
    },
  });
  const url = `http://127.0.0.1:${proxy.port}`;
  const environment = { HTTP_PROXY: url, http_proxy: url, ALL_PROXY: url };
  const listed = await hub.command(["ls", "--json"], { environment });
  expect(listed).toMatchObject({ exit: 0, stderr: "" });
  const found = await hub.command(["doctor", "--json"], { environment });
  expect(found.stdout).toContain(`"url":"http://127.0.0.1:${hub.port}"`);
  expect(asked).toEqual([]);
});

describe("a session by commands", () => {
  test("new names an isolation; a terminal cannot turn it off", async () => {
    const begun = await hub.command(["new", "--isolation", "off", "Hello."]);
    expect(begun.exit).not.toBe(0);
    expect(begun.stderr).toContain("approver");
    const wrong = await hub.command(["new", "--isolation", "iron", "Hello."]);
    expect(wrong).toMatchObject({ exit: 2, stderr: expect.stringContaining("write-here-only") });
  });

  test("new begins it, ls shows it, attach follows it, send goes on, stop ends it", async () => {
    const begun = await hub.command(["new", "--title", "By hand", "Hello.\n::say First answer."]);
    expect(begun).toMatchObject({ exit: 0, stderr: "" });
    const id = getId(begun.stdout);
    const first = await hub.command(["attach", id, "--until-idle"]);
    expect(first.exit).toBe(0);
    expect(first.stdout).toContain("First answer.");
    const listed = await hub.command(["ls"]);
    expect(listed.stdout).toMatch(new RegExp(`○ idle +${id.slice(0, 8)} +By hand`));
    const sent = await hub.command(["send", id.slice(0, 6), "More.\n::say Second answer."]);
    expect(sent.exit).toBe(0);
    const second = await hub.command(["attach", "by hand", "--until-idle"]);
    expect(second.stdout).toContain("Second answer.");
    expect(hub.agents().length).toBeGreaterThan(0);
    const stopped = await hub.command(["stop", id]);
    expect(stopped.stdout).toContain("stopped  By hand");
    expect((await hub.command(["ls", "--json"])).stdout).toContain('"state":"stopped"');
    // A message starts it again, with all it knew.
    await hub.command(["send", id, "Again.\n::say Third answer."]);
    expect((await hub.command(["attach", id, "--until-idle"])).stdout).toContain("Third answer.");
    await hub.command(["stop", id]);
  });

  test("[HB140] send --context gives the agent the context as text before the message", async () => {
    const begun = await hub.command(["new", "Hello.\n::say First answer."]);
    const id = getId(begun.stdout);
    await hub.command(["attach", id, "--until-idle"]);
    const context = { title: "Slide 3", data: { view: "slides", selection: ["h1"] } };
    const file = join(hub.folder, "context.json");
    writeFileSync(file, JSON.stringify(context));
    const message = "Shorten it.\n::say Shortened.";
    for (const given of [file, JSON.stringify(context)]) {
      const sent = await hub.command(["send", id, "--context", given, message]);
      expect(sent).toMatchObject({ exit: 0, stderr: "" });
      const shown = await hub.command(["attach", id, "--until-idle"]);
      expect(shown.stdout).toContain("Shortened.");
      expect(JSON.stringify(hub.model.requests.at(-1))).toContain(
        JSON.stringify(joinContext(context, message)).slice(1, -1),
      );
    }
    const { items } = await hub.admin.items(id);
    const prompts = items.flatMap((item) => (item.kind === "prompt" ? [item] : []));
    expect(prompts.at(-1)).toMatchObject({ content: message, context, arrived: true });

    const untitled = await hub.command(["send", id, "--context", '{"data":{}}', message]);
    expect(untitled.exit).not.toBe(0);
    expect(untitled.stderr).toContain("context.title");
    const none = await hub.command(["send", id, "--context", join(hub.folder, "none"), message]);
    expect(none).toMatchObject({ exit: 2, stderr: expect.stringContaining("none") });
    await hub.command(["stop", id]);
  });

  test("[HH40] --json prints nothing that steers a terminal, and any beginning of an id names a session, also an archived one", async () => {
    const hostile = "go \u009b31m\u202etxt.exe\u200b\u007f\n::say done";
    const { id } = await hub.admin.createSession({ folder: hub.folder, prompt: { text: hostile } });
    await hub.command(["attach", id, "--until-idle"]);
    await hub.admin.changeSession(id, { archived: true });
    const ids = (await hub.admin.sessions()).map((each) => each.id);
    const isAlone = (length: number) =>
      ids.filter((each) => each.startsWith(id.slice(0, length))).length === 1;
    const length = [1, 2, 3, 4, 5].find(isAlone) ?? 8;
    const listed = await hub.command(["ls", "--json", "--all"]);
    for (const line of listed.stdout.trimEnd().split("\n")) expect(isPlainLine(line)).toBe(true);
    const mine = listed.stdout.split("\n").find((line) => line.includes(id)) ?? "{}";
    // The agent may have given it a title by now, which begins the same.
    const title = expect.stringMatching(/^go 31mtxt\.exe/);
    expect(JSON.parse(mine)).toMatchObject({ id, title });
    expect((await hub.command(["stop", id.slice(0, length)])).exit).toBe(0);
    expect((await hub.admin.session(id)).state).toBe("stopped");
  });

  test("[AG42] an agent beside the hub fetches a session of it, and knows what was said there", async () => {
    const begun = await hub.command(["new", "Hello.\n::say My number is 41."]);
    const session = getId(begun.stdout);
    await hub.command(["attach", session, "--until-idle"]);
    const agent = join(import.meta.dir, "../../reference-agent/bin/signalbox-agent.mjs");
    const child = Bun.spawn(
      [process.execPath, agent, "-p", "--teleport", session, "And?\n::say It is still known."],
      {
        cwd: hub.folder,
        env: {
          HOME: join(hub.place, "elsewhere"),
          PATH: process.env["PATH"],
          SIGNALBOX_DATA: hub.data,
          ANTHROPIC_BASE_URL: hub.model.url,
          ANTHROPIC_API_KEY: "dummy-key-for-tests",
        },
        stdin: "ignore",
        stdout: "pipe",
      },
    );
    expect((await new Response(child.stdout).text()).trim()).toBe("It is still known.");
    expect(await child.exited).toBe(0);
    expect(JSON.stringify(hub.model.requests.at(-1))).toContain("My number is 41.");
    await hub.command(["stop", session]);
  });

  test("a prompt may come from standard input, and --attach follows at once", async () => {
    const options = ["new", "--title", "Piped", "--attach", "--until-idle"];
    const { exit, stderr } = await hub.command(options, { stdin: "" });
    expect([exit, stderr]).toEqual([2, expect.stringContaining("Unknown option '--until-idle'")]);
    const piped = await hub.command(["new", "--title", "Piped", "-"], { stdin: "Hi.\n::say Yes." });
    const followed = await hub.command(["attach", getId(piped.stdout), "--until-idle"]);
    expect(followed.stdout).toContain("Yes.");
    expect((await hub.command(["stop", "--all"])).stdout).toContain("stopped  Piped");
    expect((await hub.command(["stop", "--all"])).stdout).toBe("No agents are running.\n");
  });

  test("--worktree makes a branch beside the repository and works there; without a repository it says why", async () => {
    const refused = await hub.command(["new", "--worktree", "calm/fix", "hello"]);
    expect([refused.exit, refused.stdout]).toEqual([3, ""]);
    expect(refused.stderr).toContain("is not in a Git repository");
    const repository = join(hub.place, "repository");
    mkdirSync(repository);
    const git = (...args: string[]) =>
      Bun.spawnSync(["git", "-C", repository, ...args])
        .stdout.toString()
        .trim();
    git("init", "-q");
    git("-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "-q", "--allow-empty", "-m", "x");
    const look = '::tool Bash {"command":"git branch --show-current"}';
    const say = `Go.\n${look}\n::say I am on {{seen (calm.fix)}}.`;
    const where = ["--folder", repository, "--worktree", "calm/fix"];
    const begun = await hub.command(["new", ...where, "--title", "Beside", say]);
    expect(begun).toMatchObject({ exit: 0, stderr: "" });
    const { folder } = await hub.admin.session(getId(begun.stdout));
    expect(folder).toBe(join(hub.place, "repository.worktrees/calm-fix"));
    expect(git("worktree", "list", "--porcelain")).toContain("branch refs/heads/calm/fix");
    const followed = await hub.command(["attach", getId(begun.stdout), "--until-idle"]);
    expect(followed.stdout).toContain("I am on calm/fix.");
    await hub.command(["stop", getId(begun.stdout)]);
  });

  test("an agent of the settings: its flags reach the program, and one that makes it leave is told of", async () => {
    const path = bundledAgent() ?? "";
    const claude = { name: "claude-code", path, driver: "stdio", models: [], flags: [] };
    const pirate = { ...claude, name: "pirate", models: ["haiku"] };
    const flags = ["--append-system-prompt", "Speak like a pirate."];
    await hub.admin.setAgents([claude, { ...pirate, flags }]);
    const spoken = getId(
      (await hub.command(["new", "--agent", "pirate", "Hi.\n::say Arr."])).stdout,
    );
    expect((await hub.command(["attach", spoken, "--until-idle"])).stdout).toContain("Arr.");
    expect(JSON.stringify(hub.model.requests)).toContain("Speak like a pirate.");
    expect(await hub.admin.agents()).toContainEqual(
      expect.objectContaining({ name: "pirate", models: ["haiku"], flags }),
    );
    await hub.command(["stop", spoken]);
    await hub.admin.setAgents([claude, { ...pirate, flags: ["--version"] }]);
    const left = getId((await hub.command(["new", "--agent", "pirate", "Hi."])).stdout);
    using board = hub.admin.watchBoard();
    const problem = await new Promise<string>((resolve) => {
      const look = () => {
        const told = board.view.session(left)?.problem;
        if (told !== undefined) resolve(told);
      };
      board.subscribe(look);
      look();
    });
    expect(problem).toContain("left before it was ready");
    await hub.admin.setAgents([claude]);
    expect(await hub.command(["send", spoken, "Still there?"])).toMatchObject({ exit: 0 });
    const gone = 'The agent "pirate" is not in the settings.';
    expect((await hub.command(["ls"])).stdout).toContain(gone);
    const told = await hub.command(["attach", spoken, "--until-idle"]);
    expect(told.exit).toBe(1);
    expect((told.stdout + told.stderr).split(gone)).toHaveLength(2);
  });

  test("what is wrong is said plainly, with its exit code", async () => {
    const missing = await hub.command(["send", "nobody", "hello"]);
    expect(missing).toMatchObject({ exit: 4, stdout: "" });
    expect(missing.stderr).toContain('No session matches "nobody"');
    const autonomous = await hub.command(["new", "--policy", "autonomous", "hello"]);
    expect(autonomous.exit).toBe(3);
    expect(autonomous.stderr).toContain("approver");
    const elsewhere = await hub.command(["new", "--folder", "/nowhere/at/all", "hello"]);
    expect(elsewhere.exit).not.toBe(0);
    expect((await hub.command(["stop"])).exit).toBe(2);
  });
});

describe("who is let in", () => {
  test("pair prints a link that lets a driver in, and no approver; and no QR code of loopback", async () => {
    const { exit, stdout, stderr } = await hub.command(["pair"]);
    expect(exit).toBe(0);
    expect(stdout).not.toContain("█▀");
    expect(stderr).toContain("there is no QR code");
    expect(stdout).toMatch(/http:\/\/127\.0\.0\.1:\d+\/#pair=\S+\n$/);
    const refused = await hub.command(["pair", "--role", "approver"]);
    expect(refused.exit).toBe(3);
    expect(refused.stderr).toContain("approver");
  });

  test("devices lists them, and revoke takes one away at once", async () => {
    const pairing = await hub.admin.createPairing("viewer");
    const { credential } = await pairDevice({
      url: hub.admin.url,
      code: pairing.code,
      name: "an old phone",
    });
    expect((await hub.command(["devices"])).stdout).toMatch(/an old phone +viewer/);
    const gone = await hub.command(["devices", "revoke", "an old phone"]);
    expect(gone.stdout).toBe("Revoked an old phone.\n");
    using phone = connect({ url: hub.admin.url, device: credential });
    const failure: unknown = await phone.sessions().catch((failure: unknown) => failure);
    expect(failure).toMatchObject({ status: 401 });
    expect((await hub.command(["devices", "revoke", "nobody"])).exit).toBe(4);
  });

  test("audit shows what happened, and that the chain holds", async () => {
    const { exit, stdout, stderr } = await hub.command(["audit", "--verify"]);
    expect(exit).toBe(0);
    expect(stdout).toContain("device-paired");
    expect(stderr).toMatch(/^Verified, \d+ entries\./);
    const json = await hub.command(["audit", "--json", "--limit", "1"]);
    expect(JSON.parse(json.stdout)).toHaveProperty("hash");
  });
});

describe("another machine's runner", () => {
  test("is let in by a code on its standard input, and needs none the next time", async () => {
    const { code } = await hub.admin.createPairing("runner");
    const folder = join(hub.data, "../far");
    const args = ["runner", "--hub", hub.admin.url, "--name", "far away", "--data", folder];
    for (const stdin of [`${code}\n`, ""]) {
      const far = hub.start(args, { stdin });
      using board = hub.admin.watchBoard();
      const isThere = () =>
        board.view.runners.some(({ machine, online }) => machine === "far away" && online);
      await new Promise<void>((resolve) => {
        const look = () => isThere() && resolve();
        board.subscribe(look);
        look();
      });
      far.kill("SIGTERM");
      expect(await far.exited).toBe(0);
      await new Promise<void>((resolve) => {
        const look = () => !isThere() && resolve();
        board.subscribe(look);
        look();
      });
    }
  });

  test("that was taken away ends and says so, and keeps its name and what it has", async () => {
    const { code } = await hub.admin.createPairing("runner");
    const folder = join(hub.data, "../taken");
    const args = ["runner", "--hub", hub.admin.url, "--data", folder];
    const isThere = () =>
      new Promise<void>((resolve) => {
        const board = hub.admin.watchBoard();
        const look = () => {
          if (!board.view.runners.some((one) => one.machine === "in the cellar" && one.online))
            return;
          board.close();
          resolve();
        };
        board.subscribe(look);
        look();
      });
    const first = hub.start([...args, "--name", "in the cellar"], { stdin: `${code}\n` });
    await isThere();
    first.kill("SIGTERM");
    await first.exited;
    const second = hub.start(args);
    await isThere();
    const devices = await hub.admin.devices();
    const machines = async () => (await hub.admin.runners()).map(({ machine }) => machine);
    expect(await machines()).toContain("in the cellar");
    await hub.admin.revokeDevice(devices.find(({ name }) => name === "in the cellar")?.id ?? "");
    expect(await machines()).not.toContain("in the cellar");
    expect(await second.exited).toBe(3);
    expect(await new Response(second.stderr).text()).toContain(
      "This machine was removed from the hub",
    );
    const { exit, stderr } = await hub.signalbox(args);
    expect(exit).toBe(3);
    expect(stderr).toContain(`is kept in ${folder}`);
  });

  test("is not sent a credential over plain HTTP", async () => {
    const { exit, stderr } = await hub.signalbox(["runner", "--hub", "http://example.org"]);
    expect(exit).toBe(2);
    expect(stderr).toContain("Use https");
  });
});

describe("doctor", () => {
  test("tells of everything that is needed, in words and as JSON", async () => {
    const { exit, stdout } = await hub.command(["doctor", "--json"]);
    const { checks } = JSON.parse(stdout) as { checks: { what: string; state: string }[] };
    const states = Object.fromEntries(checks.map(({ what, state }) => [what, state]));
    // On a machine that is very busy the agent may take too long to say its version.
    expect(exit).toBe(Object.values(states).includes("problem") ? 1 : 0);
    expect(states).toMatchObject({ "data folder": "ok", hub: "ok", "free disk": "ok" });
    expect(states["isolation"]).toBe(bubblewrapMissing === undefined ? "ok" : "warning");
    expect(stdout).not.toContain("dummy"); // the key in the environment: that it is there, not what it is
    expect((await hub.command(["doctor"])).stdout).toContain("✓ hub");
  });

  test("without a hub looks at the port", async () => {
    await using other = await openStage();
    using server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("") });
    const args = ["doctor", "--json", "--port", String(server.port)];
    const { exit, stdout } = await other.signalbox(args);
    expect(exit).toBe(1);
    expect(stdout).toContain(`"port ${server.port}"`);
    expect(stdout).toContain("in use on 127.0.0.1");
  });
});

describe("the hub that commands talk to", () => {
  test("is named by SIGNALBOX_DATA and SIGNALBOX_URL where no option names it", async () => {
    const environment = { SIGNALBOX_DATA: hub.data };
    const listed = await hub.signalbox(["devices"], { environment });
    expect(listed).toMatchObject({ exit: 0, stdout: expect.stringContaining("a browser") });
    const { port } = hub;
    const there = { ...environment, SIGNALBOX_URL: `http://localhost:${port}` };
    expect(await hub.signalbox(["devices"], { environment: there })).toMatchObject({ exit: 0 });
    expect((await hub.signalbox(["doctor"], { environment: there })).stdout).toContain(
      `at http://localhost:${port}`,
    );
  });

  test("is asked with the credential of its data folder, and with no other", async () => {
    const { url } = hub;
    const alone = await hub.signalbox(["ls"], { environment: { SIGNALBOX_URL: url } });
    expect(alone.exit).toBe(4);
    expect(alone.stderr).toContain("contains no credential for the hub");
    const far = { SIGNALBOX_DATA: hub.data, SIGNALBOX_URL: "http://hub.example:8765" };
    const plain = await hub.signalbox(["ls"], { environment: far });
    expect(plain.exit).toBe(2);
    expect(plain.stderr).toContain("SIGNALBOX_URL: Use https for a hub on another machine");
    using nobody = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("") });
    const address = `http://127.0.0.1:${nobody.port}`;
    await nobody.stop(true);
    const gone = { SIGNALBOX_DATA: hub.data, SIGNALBOX_URL: address };
    const away = await hub.signalbox(["ls"], { environment: gone });
    expect(away.exit).toBe(4);
    expect(away.stderr).toContain(
      `No hub answers at ${address}. Start it, or correct SIGNALBOX_URL.`,
    );
  });
});

describe("no hub", () => {
  test("is said plainly", async () => {
    await using other = await openStage();
    for (const command of [["ls"], ["new", "x"], ["pair"], ["devices"], ["audit"]]) {
      const { exit, stderr } = await other.signalbox(command);
      expect(exit).toBe(4);
      expect(stderr).toContain("No hub is running on this machine");
      expect(stderr).toContain(
        "/.local/share/signalbox). Start one with `signalbox serve`, or choose another data folder with --data",
      );
    }
    writeFileSync(other.at("file"), "");
    const odd = await other.signalbox(["ls", "--data", other.at("file")]);
    expect(odd).toMatchObject({ exit: 3 });
    expect(odd.stderr).toContain("hub.json (ENOTDIR");
    expect(odd.stderr).toContain("Choose the data folder of the hub with --data.");
    const all = await other.signalbox(["stop", "--all"]);
    expect(all).toMatchObject({
      exit: 0,
      stdout: "No hub and no agents are running.\n",
    });
  });

  test("[CL17] but somebody else on its port: no secret is sent", async () => {
    await using other = await openStage();
    const heard: string[] = [];
    using squatter = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: async (request) => {
        heard.push(JSON.stringify([...request.headers]) + (await request.text()));
        return Response.json({ hub: "x", proof: "0".repeat(64) });
      },
    });
    const own = createDeviceSigningKey(crypto.randomUUID());
    const token = own.text;
    const url = `http://127.0.0.1:${squatter.port}`;
    const key = createSigningKey().publicKey;
    const descriptor = { hub: crypto.randomUUID(), url, key, pid: 1 };
    const file = join(other.folder, "hub.json");
    writeFileSync(file, JSON.stringify(descriptor), { mode: 0o600 });
    writeFileSync(join(other.folder, "command-line.key"), token, { mode: 0o600 });
    const { exit, stderr } = await other.signalbox(["ls", "--data", other.folder]);
    expect(exit).toBe(1);
    expect(stderr).toContain("is not the hub");
    expect(heard).toHaveLength(1);
    expect(heard.join()).not.toContain(token);
    expect(heard.join()).not.toContain(key);
  });
});

describe("the end of the hub", () => {
  test("leaves agents running; the next start finds them, or stop --all ends them", async () => {
    const begun = await hub.command(["new", "--title", "Lives on", "Hello.\n::say I am here."]);
    const id = getId(begun.stdout);
    await hub.command(["attach", id, "--until-idle"]);
    const before = hub.agents();
    expect(before.length).toBeGreaterThan(0);
    expect(await hub.stopHub()).toContain("1 agent keeps running");
    expect(hub.agents()).toEqual(before);
    expect(await hub.serveAgain()).toMatch(/^Signalbox is running at http:\/\/localhost:\d+$/);
    expect((await hub.command(["ls"])).stdout).toMatch(/○ idle .*Lives on/);
    await hub.stopHub();
    const { stdout } = await hub.command(["stop", "--all"]);
    expect(stdout).toContain("Stopped the runner that it left running, and its agents");
    expect(hub.agents()).toEqual([]);
    await hub.serveAgain();
  });

  test("a hub on another port gets its runner and agents back; one that is missed is told of, and can be ended", async () => {
    const words = ["new", "--title", "Moves along", "Hello.\n::say I am here."];
    const id = getId((await hub.command(words)).stdout);
    await hub.command(["attach", id, "--until-idle"]);
    const before = hub.agents();
    await hub.stopHub();
    await (await hub.serveElsewhere()).runnerComes();
    expect(hub.agents()).toEqual(before);
    await hub.command(["send", id, "Again.\n::say Still here."]);
    expect((await hub.command(["attach", id, "--until-idle"])).stdout).toContain("Still here.");
    expect((await hub.command(["doctor"])).stdout).toContain("✓ hub");
    await hub.stopHub();
    const signed = readFileSync(join(hub.data, "runner", "runner.process"), "utf8");
    const runner = Number(signed.split(" ")[0]);
    process.kill(runner, "SIGSTOP");
    await hub.serveElsewhere();
    const { exit, stdout } = await hub.command(["doctor"]);
    expect(exit).toBe(1);
    expect(stdout).toMatch(/0 of \d+ runners connected/); // the other machine, too, is away
    expect(stdout).toContain("The runner of this machine is not connected");
    const stopping = hub.command(["stop", "--all"]);
    await until(() => isTermPending(runner));
    process.kill(runner, "SIGCONT");
    expect((await stopping).stdout).toContain("was not connected to the hub. Stopped it");
    expect(hub.agents()).toEqual([]);
    await hub.stopHub();
    await hub.serveAgain();
  });
});

function isTermPending(pid: number): boolean {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const pending = /^ShdPnd:\t([0-9a-f]+)/m.exec(status)?.[1] ?? "0";
  return (BigInt(`0x${pending}`) & (1n << 14n)) !== 0n;
}
