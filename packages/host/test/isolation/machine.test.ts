import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { Isolation } from "@signalbox/host/isolation";
import { bubblewrapMissing } from "@signalbox/testing/attacks";
import { tempFolder } from "@signalbox/testing/fake-agent";
import { until } from "@signalbox/testing/until";
import { openModelGate } from "../../src/isolation/model-gate.ts";
import { findAuthorizedKeys } from "../../src/sandbox/authorized-keys.ts";
import { bubblewrapArguments } from "../../src/sandbox/bubblewrap-arguments.ts";
import { findBubblewrap } from "../../src/sandbox/find-bubblewrap.ts";
import { hiddenPaths } from "../../src/sandbox/hidden-paths.ts";
import { launcherSockets } from "../../src/sandbox/launcher-sockets.ts";
import { listVisibleDevices } from "../../src/sandbox/machine-mounts.ts";
import { mountPoints } from "../../src/sandbox/mount-points.ts";

setDefaultTimeout(180_000);

const hasBubblewrap = bubblewrapMissing === undefined;
const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;
const asNobody = ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"];
const env = { PATH: process.env["PATH"] ?? "" };
/** This user, and for root's tests an ordinary one, too. */
const users = [
  ["this user", [], isRoot],
  ...(isRoot ? [["an ordinary user", asNobody, false] as const] : []),
] as const;

interface Inside {
  readonly before?: readonly string[];
  readonly asRoot?: boolean;
  readonly readOnly?: readonly string[];
}

async function commandInside(script: string, { before = [], asRoot = isRoot, ...rest }: Inside) {
  const { path = "" } = await findBubblewrap();
  // The folders of this user's home are none that another user can mount.
  const hidden = before.length > 0 ? hiddenPaths([], "/nowhere") : hiddenPaths([]);
  const setup = { folder: "/", hidden, readable: [], network: true, ...rest };
  return [...before, path, ...bubblewrapArguments({ ...setup, asRoot }), "/bin/sh", "-c", script];
}

/** What a shell prints that is isolated as an agent is. */
async function runInside(script: string, inside: Inside = {}): Promise<string> {
  const [command = "", ...args] = await commandInside(script, inside);
  const { stdout, stderr } = spawnSync(command, args, { encoding: "utf8", env });
  return `${stdout}${stderr}`;
}

describe("a person's terminals", () => {
  test.if(hasBubblewrap).each(users)(
    "[DR8] %s: an isolated agent neither writes nor reads them, and has ones of its own",
    async (_, before, asRoot) => {
      let shown = "";
      const terminal = new Bun.Terminal({
        cols: 80,
        rows: 24,
        data: (_, bytes) => void (shown += new TextDecoder().decode(bytes)),
      });
      const person = Bun.spawn([...before, "sh", "-c", "tty; cat"], { terminal, env });
      try {
        await until("its terminal is named", () => shown.includes("\n"));
        const path = shown.trim();
        expect(path).toStartWith("/dev/pts/");
        const script = `ls /dev/pts; [ -e ${path} ] && echo there; echo written > ${path} && echo wrote; script -qc 'echo own-$((40 + 2)); tty' /dev/null`;
        const printed = await runInside(script, { before, asRoot });
        expect(printed).not.toContain("there");
        expect(printed).not.toContain("wrote");
        expect(printed).toContain("own-42");
        expect(printed).toContain("/dev/pts/0");
        expect(shown).not.toContain("written");
      } finally {
        person.kill();
        await person.exited;
        terminal.close();
      }
    },
  );

  test.if(hasBubblewrap)(
    "[DR8] an agent of a hub that was started in a terminal does not have that terminal",
    async () => {
      const look = "(exec 3<>/dev/tty) 2>/dev/null && echo has-terminal; echo looked";
      const inTerminal = (command: readonly string[]) => {
        const quoted = command.map((part) => `'${part.replaceAll("'", `'\\''`)}'`).join(" ");
        return spawnSync("script", ["-qc", quoted, "/dev/null"], { encoding: "utf8", env }).stdout;
      };
      expect(inTerminal(["/bin/sh", "-c", look])).toContain("has-terminal");
      const isolated = inTerminal(await commandInside(look, {}));
      expect(isolated).toContain("looked");
      expect(isolated).not.toContain("has-terminal");
    },
  );

  test("[DR8] of the machine's devices it sees what programs use: no terminals, keyboards or disks", () => {
    const used = ["shm", "dri", "kvm", "nvidia0", "nvidiactl", "net", "fuse", "snd", "ttyUSB0"];
    const kept = ["pts", "ptmx", "tty", "tty1", "ttyS0", "console", "vcs1", "input", "uinput"];
    const disks = ["sda", "nvme0n1", "vda", "loop0", "mem", "port", "mapper", "hidraw0"];
    expect(listVisibleDevices([...used, ...kept, ...disks])).toEqual(
      used.map((name) => `/dev/${name}`),
    );
  });
});

describe("what the kernel offers to whoever owns its files", () => {
  test.if(hasBubblewrap && isRoot).each(users)(
    "[DR8] %s: no control group can be written, so that none freezes or kills the hub",
    async (_, before, asRoot) => {
      const groups = mountPoints().filter(({ type }) => /^cgroup2?$/.test(type));
      const made = groups.flatMap(({ path }) => {
        const folder = join(path, `signalbox-test-${crypto.randomUUID()}`);
        const { status } = spawnSync("mkdir", [folder]);
        return status === 0 ? [folder] : [];
      });
      expect(made.length).toBeGreaterThan(0);
      try {
        if (!asRoot) for (const each of made) spawnSync("chown", ["-R", `${NOBODY}`, each]);
        const files = made.map((each) => join(each, "cgroup.procs")).filter(existsSync);
        const script = files.map((file) => `(: >> ${file}) && echo writable`).join("\n");
        const [command = "", ...args] = [...before, "sh", "-c", script];
        expect(spawnSync(command, args, { encoding: "utf8" }).stdout).toContain("writable");
        const printed = await runInside(`${script}\nmkdir ${made[0]}/own && echo writable`, {
          before,
          asRoot,
        });
        expect(printed).toContain("Read-only file system");
        expect(printed).not.toContain("writable");
      } finally {
        for (const each of made) spawnSync("rmdir", [each]);
      }
    },
  );

  test.if(hasBubblewrap && isRoot)(
    "[DR8] terminals, control groups and processes that are mounted elsewhere, as for a chroot, neither",
    () => {
      using folder = tempFolder();
      const at = (name: string) => join(folder.path, name);
      for (const name of ["pts", "groups", "proc"]) mkdirSync(at(name));
      const group = mountPoints().find(({ type }) => /^cgroup2?$/.test(type))?.path ?? "";
      const mounts = [
        `mount --bind /dev/pts ${at("pts")}`,
        `mount --bind ${group} ${at("groups")}`,
        `mount -t proc proc ${at("proc")}`,
      ].join(" && ");
      const look = `[ -e ${at("pts")}/ptmx ] && echo terminals; [ -e ${at("proc")}/${process.pid} ] && echo processes; (: >> ${at("groups")}/cgroup.procs) && echo groups; echo looked`;
      const run = (start: string) =>
        spawnSync("unshare", ["-m", "sh", "-c", `${mounts} && ${start}`], { encoding: "utf8" })
          .stdout;
      expect(run(look)).toBe("terminals\nprocesses\ngroups\nlooked\n");
      const script = join(import.meta.dir, "look-inside.ts");
      expect(run(`${process.execPath} ${script} ${at("none")} "${look}"`)).toBe("looked\n");
    },
  );

  test.if(hasBubblewrap && isRoot)(
    "[DR8] root's agent writes no setting of the kernel's, and lacks what would change it",
    async () => {
      const printed = await runInside(
        "for file in kernel/core_pattern vm/drop_caches; do (: >> /proc/sys/$file) && echo writable; done; grep CapEff /proc/self/status; su nobody -s /bin/sh -c 'echo other user'",
      );
      expect(printed).not.toContain("writable");
      expect(printed).toContain("other user");
      const held = BigInt(`0x${/CapEff:\s*(\w+)/.exec(printed)?.[1]}`);
      // CAP_SETPCAP, NET_ADMIN, SYS_MODULE, SYS_PTRACE, SYS_ADMIN, SYS_BOOT, PERFMON, BPF
      const dropped = [8, 12, 16, 19, 21, 22, 38, 39].filter((bit) => (held >> BigInt(bit)) & 1n);
      expect(dropped).toEqual([]);
    },
  );
});

describe("the gate to a session's model", () => {
  test.if(hasBubblewrap)(
    "[DR13] an agent that was started before sees no other session's, wherever it is opened",
    async () => {
      using hub = tempFolder();
      using own = tempFolder();
      const isolation = new Isolation({ hide: [hub.path] });
      const start = await isolation.plan({ folder: own.path }, own.path, env);
      const look = `echo up; while read path; do ls -d "$path" "$(dirname "$path")"; mv "$path" "$path.x"; done; echo looked`;
      const { command: shell, args: rest } = start.wrap({
        command: "/bin/sh",
        args: ["-c", look],
        env,
      });
      const before = spawn(shell, rest, { env });
      const said = text(before.stderr);
      await once(before.stdout, "data");
      const endpoint = { kind: "port", port: 1 } as const;
      const gates = [await openModelGate(endpoint, [hub.path]), await openModelGate(endpoint, [])];
      try {
        expect(gates[0]?.socket).toStartWith(`${hub.path}/`);
        for (const { socket } of gates) before.stdin.write(`${socket}\n`);
        before.stdin.end();
        expect(await text(before.stdout)).toBe("looked\n");
        expect((await said).match(/No such file|Read-only/g)?.length).toBeGreaterThanOrEqual(6);
        for (const { socket } of gates) expect(existsSync(socket)).toBe(true);
      } finally {
        for (const gate of gates) gate.close();
      }
      expect(readdirSync(hub.path)).toEqual([]);
    },
  );

  test.if(hasBubblewrap)(
    "[DR8] sockets of earlier versions in a temporary folder are hidden",
    async () => {
      const made = ["http", "model", "demo-data"].map((name) => {
        const folder = mkdtempSync(join("/tmp", `signalbox-${name}-`));
        writeFileSync(join(folder, "file"), "");
        return folder;
      });
      try {
        expect(await runInside(`find ${made.join(" ")} -type f; echo looked`)).toBe("looked\n");
      } finally {
        for (const folder of made) rmSync(folder, { recursive: true });
      }
    },
  );
});

describe("who may log in by SSH", () => {
  test.if(hasBubblewrap)(
    "[DR8] an isolated agent adds no key of its own where a server is installed, and uses SSH as before",
    async () => {
      using home = tempFolder();
      const readOnly = findAuthorizedKeys(home.path, (file) => file === "/usr/sbin/sshd");
      const folder = join(home.path, ".ssh");
      expect(readdirSync(folder).toSorted()).toEqual(["authorized_keys", "authorized_keys2"]);
      expect(statSync(folder).mode & 0o777).toBe(0o700);
      const tries = [
        "for file in authorized_keys authorized_keys2; do echo key >> $file; rm -f $file; mv $file x; done",
        "echo key > new; mv new authorized_keys",
        "mv ../.ssh ../x; echo host > known_hosts; echo other > known_hosts.new; mv known_hosts.new known_hosts",
      ];
      await runInside(`cd ${folder}; ${tries.join("; ")}`, { readOnly });
      for (const name of ["authorized_keys", "authorized_keys2"]) {
        expect(readFileSync(join(folder, name), "utf8")).toBe("");
      }
      expect(readFileSync(join(folder, "known_hosts"), "utf8")).toBe("other\n");
    },
  );

  test.if(hasBubblewrap)("[DR8] a link to such a file is not replaced either", async () => {
    using home = tempFolder();
    const folder = join(home.path, ".ssh");
    mkdirSync(folder);
    symlinkSync("../keys", join(folder, "authorized_keys"));
    writeFileSync(join(home.path, "keys"), "the person's");
    const readOnly = findAuthorizedKeys(home.path, () => false);
    const script = `cd ${folder}; echo key >> authorized_keys; rm authorized_keys; echo key > authorized_keys`;
    await runInside(script, { readOnly });
    expect(readFileSync(join(folder, "authorized_keys"), "utf8")).toBe("the person's");
  });

  test("[DR8] where no server is installed no file is made", () => {
    using home = tempFolder();
    expect(findAuthorizedKeys(home.path, () => false)).toEqual([]);
    expect(readdirSync(home.path)).toEqual([]);
  });

  test("[DR8] a file in the place of ~/.ssh keeps no agent from starting", () => {
    using home = tempFolder();
    writeFileSync(join(home.path, ".ssh"), "no folder");
    expect(findAuthorizedKeys(home.path, () => true)).toEqual([]);
  });
});

test("[DR8] sockets of editors and keepers of terminals are hidden; folders are made for those installed", () => {
  using folder = tempFolder();
  const at = (...names: string[]) => join(folder.path, ...names);
  const [home, programs, temporary] = [at("home"), at("programs"), at("temporary")];
  for (const made of [home, programs, temporary]) mkdirSync(made);
  const names = ["zellij", "nvim", "emacs", "abduco"];
  for (const name of names) {
    writeFileSync(join(programs, name), "");
    chmodSync(join(programs, name), 0o755);
  }
  const user = process.getuid?.() ?? 0;
  const hidden = launcherSockets(home, { PATH: programs, TMPDIR: temporary });
  const made = readdirSync(temporary).map((name) => name.replace(/nvim\..+/, "nvim.user"));
  expect(made.toSorted()).toEqual([`emacs${user}`, "nvim.user", `zellij-${user}`].toSorted());
  expect(readdirSync(home)).toEqual([".abduco"]);
  for (const name of readdirSync(temporary)) {
    expect(hidden).toContain(join(temporary, name));
    expect(statSync(join(temporary, name)).mode & 0o777).toBe(0o700);
  }
  const others = [".abduco", ".emacs.d/server", ".dtach"].map((name) => join(home, name));
  expect(hidden).toEqual(expect.arrayContaining([...others, join(temporary, "abduco")]));
});
