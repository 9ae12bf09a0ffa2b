// Builds the one-file program and uses it in an empty folder, with an empty home and neither Node nor npm on its
// search path. It needs the npm registry. `npm run test:install` runs it.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "../../scripts/release/run.ts";
import { readManifest, root } from "../../scripts/release/packages.ts";

setDefaultTimeout(900_000);

const place = mkdtempSync(join(tmpdir(), "signalbox-one-file-"));
const [program, home, folder] = ["signalbox", "home", "work"].map((name) => join(place, name)) as [
  string,
  string,
  string,
];
const unpacked = join(home, ".local/share/signalbox-program");
const here = {
  cwd: folder,
  env: { HOME: home, PATH: "/usr/bin:/bin", LANG: "C.UTF-8", TMPDIR: place },
};
afterAll(() => rmSync(place, { recursive: true, force: true, maxRetries: 5 }));

beforeAll(async () => {
  for (const path of [home, folder]) mkdirSync(path);
  await run(process.execPath, [join(root, "scripts/binary/build.ts"), "--out", program]);
});

test("it prints its version, and unpacks itself once, for its user alone", async () => {
  const { version } = readManifest("packages/cli");
  for (let start = 1; start <= 2; start++) {
    const printed = Bun.spawnSync([program, "--version"], here);
    expect(printed.stdout.toString()).toBe(`${version}\n`);
  }
  expect(readdirSync(unpacked)).toHaveLength(1);
  expect(statSync(unpacked).mode & 0o777).toBe(0o700);
});

test("a demo session works with the agent that it brings", () => {
  const printed = Bun.spawnSync([program, "run", "--demo", "hello"], here);
  expect(printed.stdout.toString()).toContain("That was a whole session");
});

test("a demo hub serves its page, and its sessions get to work", async () => {
  const hub = Bun.spawn([program, "serve", "--demo", "--port", "0"], { ...here, stdout: "pipe" });
  try {
    const decoder = new TextDecoder();
    let printed = "";
    for await (const piece of hub.stdout) {
      printed += decoder.decode(piece, { stream: true });
      if (printed.includes("data folder")) break;
    }
    const [address = ""] = /http:\/\/localhost:\d+/.exec(printed) ?? [];
    const page = await fetch(address);
    expect(await page.text()).toContain("<title>Signalbox");
    const [, data = ""] = /data folder ([^)]+)\)/.exec(printed) ?? [];
    const list = () => Bun.spawnSync([program, "ls", "--data", data], here).stdout.toString();
    const deadline = Date.now() + 600_000;
    while (!list().includes("needs you")) {
      if (Date.now() > deadline) throw new Error(`no session asks:\n${list()}`);
      await Bun.sleep(500);
    }
  } finally {
    hub.kill("SIGTERM");
    await hub.exited;
  }
});
