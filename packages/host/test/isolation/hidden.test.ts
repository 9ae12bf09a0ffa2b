import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { Isolation } from "@signalbox/host/isolation";
import { browserProfiles } from "../../src/sandbox/browser-profiles.ts";
import { bubblewrapArguments } from "../../src/sandbox/bubblewrap-arguments.ts";
import { findBubblewrap } from "../../src/sandbox/find-bubblewrap.ts";
import { hiddenPaths } from "../../src/sandbox/hidden-paths.ts";
import { abstractLaunchers } from "../../src/sandbox/launcher-sockets.ts";
import { mountPoints, otherPaths } from "../../src/sandbox/mount-points.ts";
import { tempFolder } from "@signalbox/testing/fake-agent";
import { bubblewrapMissing, openDataFolder } from "@signalbox/testing/attacks";

setDefaultTimeout(180_000);

const noBubblewrap = bubblewrapMissing !== undefined;
const title = (what: string, missing: string | undefined) =>
  missing === undefined ? what : `${what} (skipped: ${missing})`;

/** Variables of this process for the time of a test. */
function withVariables(variables: Record<string, string>) {
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, variables);
  return {
    [Symbol.dispose]() {
      for (const [name, value] of before) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    },
  };
}

async function listenAt(path: string) {
  mkdirSync(dirname(path), { recursive: true });
  const server = createServer((client) => client.end());
  server.listen(path);
  await once(server, "listening");
  return server;
}

/** An isolated shell that waits until it is told to run its script. */
async function startWaiting(script: string, home?: string) {
  const { path = "" } = await findBubblewrap();
  const asRoot = process.getuid?.() === 0;
  const hidden = home === undefined ? hiddenPaths([]) : hiddenPaths([], home);
  const args = bubblewrapArguments({ folder: "/", hidden, readable: [], network: true, asRoot });
  const inside = spawn(path, [...args, "/bin/sh", "-c", `echo up; read go; ${script}`]);
  inside.stderr.pipe(process.stderr);
  await once(inside.stdout, "data");
  return {
    /** Lets it run on while its first lines are read; `run` ends it. */
    async answer(lines: number) {
      inside.stdin.write("go\n");
      let printed = "";
      while (printed.split("\n").length <= lines) {
        const [chunk] = await once(inside.stdout, "data");
        printed += String(chunk);
      }
      return printed.trim().split("\n");
    },
    async run() {
      inside.stdin.end("go\n");
      return text(inside.stdout);
    },
  };
}

describe("sockets of programs that start others", () => {
  test.skipIf(noBubblewrap)(
    title(
      "[DR8] an isolated agent reaches none, also none that is opened later; agents of gpg and ssh it does",
      bubblewrapMissing,
    ),
    async () => {
      using folder = tempFolder();
      const runtime = join(folder.path, "runtime");
      const tmux = join(folder.path, "tmux");
      for (const made of [runtime, tmux]) mkdirSync(made);
      const engine = join(folder.path, "engine.sock");
      using _ = withVariables({
        XDG_RUNTIME_DIR: runtime,
        TMUX_TMPDIR: tmux,
        DOCKER_HOST: `unix://${engine}`,
        DBUS_SESSION_BUS_ADDRESS: `unix:path=${folder.path}/session-bus,guid=1`,
      });
      const tmuxSocket = join(tmux, `tmux-${process.getuid?.()}`, "default");
      const kept = [join(runtime, "gnupg/S.gpg-agent"), join(runtime, "ssh-agent.socket")];
      const before = [
        ...kept,
        engine,
        join(folder.path, "session-bus"),
        join(runtime, "bus"),
        join(runtime, "systemd/private"),
      ];
      const later = [
        join(runtime, "podman/podman.sock"),
        join(runtime, "docker.sock"),
        join(runtime, "editor.sock"),
        tmuxSocket,
      ];
      const servers = await Promise.all(before.map(listenAt));
      const tryAll = `for (const path of ${JSON.stringify([...before, ...later])})
        await new Promise((done) => require("node:net").connect(path)
          .on("connect", () => { console.log(path); done(); }).on("error", done));
        process.exit(0)`;
      try {
        const script = `${process.execPath} -e '${tryAll}'`;
        const inside = await startWaiting(script);
        // tmux makes its folder for its user alone, and uses one that is so.
        expect(statSync(dirname(tmuxSocket)).mode & 0o777).toBe(0o700);
        servers.push(...(await Promise.all(later.map(listenAt))));
        expect((await inside.run()).trim().split("\n").toSorted()).toEqual(kept.toSorted());
        const outside = spawnSync("/bin/sh", ["-c", script], { encoding: "utf8" }).stdout;
        expect(outside.trim().split("\n").toSorted()).toEqual([...before, ...later].toSorted());
      } finally {
        for (const server of servers) server.close();
      }
    },
  );

  test("[DR8] a session bus without a file cannot be hidden, and the session is told", () => {
    const listing = [
      "Num RefCount Protocol Flags Type St Inode Path",
      "0000: 00000002 00000000 00010000 0001 01 1 /run/user/1000/bus",
      "0000: 00000002 00000000 00010000 0001 01 2 @/tmp/dbus-x1",
      "0000: 00000003 00000000 00000000 0001 03 3 @/tmp/dbus-x1",
      "0000: 00000002 00000000 00010000 0001 01 4 @/tmp/.X11-unix/X0",
    ].join("\n");
    expect(abstractLaunchers(listing)).toEqual(["@/tmp/dbus-x1"]);
  });

  const isLinux = process.platform === "linux";
  test.skipIf(noBubblewrap || !isLinux)(
    title("[DR8] …by a remark, unless it has no network", bubblewrapMissing),
    async () => {
      const name = `/tmp/dbus-${crypto.randomUUID()}`;
      using _ = Bun.listen({ unix: `\0${name}`, socket: { data() {} } });
      const isolation = new Isolation({ hide: [] });
      const env = { ANTHROPIC_BASE_URL: "http://127.0.0.1:1" };
      const open = await isolation.plan({ folder: "/" }, "/", env);
      expect(open.state.remark).toContain(`@${name}`);
      const closed = await isolation.plan({ folder: "/", isolation: "no-network" }, "/", env);
      expect(closed.state.remark ?? "").not.toContain(name);
      closed.release();
    },
  );
});

describe("sockets by which sessions of Claude Code send each other messages", () => {
  test.skipIf(noBubblewrap)(
    title(
      "[DR8] an isolated agent reaches neither the user's nor another isolated agent's, and may open its own",
      bubblewrapMissing,
    ),
    async () => {
      using folder = tempFolder();
      const environment = {
        XDG_RUNTIME_DIR: join(folder.path, "r"),
        CLAUDE_CODE_TMPDIR: join(folder.path, "c"),
        TMPDIR: join(folder.path, "t"),
      };
      for (const path of Object.values(environment)) mkdirSync(path);
      using _ = withVariables(environment);
      const user = process.getuid?.() ?? 0;
      const folders = [
        ...Object.values(environment).map((path) => join(path, "cc-socks")),
        "/tmp/cc-socks",
        `/tmp/cc-socks-${user}`,
        `/tmp/cc-daemon-${user}`,
      ];
      const name = crypto.randomUUID().slice(0, 8);
      const outside = folders.map((path) => join(path, `${name}-user.sock`));
      const first = folders.map((path) => join(path, `${name}-first.sock`));
      /** Prints what it reaches, and whether it can open sockets of its own beside them. */
      const script = (opened: readonly string[], tried: readonly string[]) => `
        const net = require("node:net"), fs = require("node:fs"), path = require("node:path");
        (async () => {
          for (const at of ${JSON.stringify(opened)}) {
            fs.mkdirSync(path.dirname(at), { recursive: true });
            await new Promise((done) => net.createServer().listen(at, done));
          }
          for (const at of ${JSON.stringify(tried)})
            await new Promise((done) => net.connect(at)
              .on("connect", () => { console.log(at); done(); }).on("error", done));
          console.log("end");
          if (${opened.length === 0}) process.exit(0);
        })()`;
      const run = (source: string) => `${process.execPath} -e '${source}'`;
      const one = await startWaiting(`${run(script(first, first))} & cat; kill $!`);
      const two = await startWaiting(run(script([], [...outside, ...first])));
      const servers = await Promise.all(outside.map(listenAt));
      try {
        // The first one listens while the second one looks for it.
        expect(await one.answer(first.length + 1)).toEqual([...first, "end"]);
        expect((await two.run()).trim()).toBe("end");
        const look = ["-c", run(script([], outside))];
        const reached = spawnSync("/bin/sh", look, { encoding: "utf8" }).stdout;
        expect(reached.trim().split("\n")).toEqual([...outside, "end"]);
        await one.run();
      } finally {
        for (const server of servers) server.close();
      }
    },
  );
});

describe("a hidden folder that can be reached by other paths", () => {
  /** Mounts that nobody else sees. */
  const alone = process.getuid?.() === 0 ? "-m" : "-Urm";
  const mounting = spawnSync("unshare", [alone, "mount", "--bind", "/usr/bin", "/usr/bin"]);
  const missing =
    bubblewrapMissing ?? (mounting.status === 0 ? undefined : "nothing can be mounted here");

  test.skipIf(missing !== undefined)(
    title(
      "[DR8] is hidden at every place where its file system, or a part of it, is mounted",
      missing,
    ),
    () => {
      using hidden = openDataFolder();
      const place = dirname(hidden.data);
      const other = join(place, "other");
      for (const name of ["above", "same", "inner", "a b"]) {
        mkdirSync(join(other, name), { recursive: true });
      }
      const mount = (from: string, to: string) => `mount --bind '${from}' '${join(other, to)}'`;
      const mounts = [
        mount(place, "above"),
        mount(hidden.data, "same"),
        mount(join(hidden.data, "runner"), "inner"),
        mount(hidden.data, "a b"),
      ].join(" && ");
      const look = `cd ${other}; cat same/hub.json inner/runner.lock 'a b/hub.json' above/data/hub.json; ls above`;
      const script = join(import.meta.dir, "look-inside.ts");
      const printed = (start: string) =>
        spawnSync("unshare", [alone, "sh", "-c", `${mounts} && ${start}`], { encoding: "utf8" })
          .stdout;
      expect(printed(look)).toContain("secretsecretsecretsecret");
      const inside = printed(`${process.execPath} ${script} ${hidden.data} "${look}"`);
      expect(inside).not.toContain("secret");
      expect(inside).toContain("other"); // what lies beside it is seen there as before
    },
  );

  test("[DR8] other paths are found by device and folder, and not where something lies over them", () => {
    using folder = tempFolder();
    for (const name of ["home/data", "again/data"]) {
      mkdirSync(join(folder.path, name), { recursive: true });
    }
    const at = (name: string) => join(folder.path, name);
    const line = (device: string, root: string, path: string) =>
      `1 1 ${device} ${root} ${path} rw - ext4 x rw`;
    const mounts = mountPoints(
      [line("8:1", "/", at("home")), line("8:1", "/", at("again"))].join("\n"),
    );
    expect(otherPaths(at("home/data"), mounts)).toEqual([]); // two folders, whatever is said
    expect(mountPoints(line("8:1", "/", "/a\\040b"))[0]?.path).toBe("/a b");
  });
});

describe("profiles of browsers", () => {
  test.skipIf(noBubblewrap)(
    title("[DR8] a profile that is made while the agent runs is not seen", bubblewrapMissing),
    async () => {
      using home = tempFolder();
      browserProfiles(home.path, (file) => file === "/usr/bin/chromium");
      const profile = join(home.path, ".config/chromium");
      const inside = await startWaiting(`cat ${profile}/Default/key; ls ${home.path}`, home.path);
      mkdirSync(join(profile, "Default"));
      writeFileSync(join(profile, "Default/key"), "secret");
      writeFileSync(join(home.path, "seen"), "");
      const printed = await inside.run();
      expect(printed).not.toContain("secret");
      expect(printed).toContain("seen");
    },
  );

  test("[DR8] no folder is made for browsers that are not installed", () => {
    using home = tempFolder();
    expect(browserProfiles(home.path, () => false).length).toBeGreaterThan(0);
    expect(readdirSync(home.path)).toEqual([]);
    browserProfiles(join(home.path, "missing"), () => true);
    expect(existsSync(join(home.path, "missing"))).toBe(false);
  });
});
