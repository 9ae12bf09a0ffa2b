import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Isolation } from "@signalbox/host/isolation";
import { bubblewrapMissing } from "@signalbox/testing/attacks";
import { AgentPackages } from "../../src/supervise/agent-package.ts";

setDefaultTimeout(180_000);

describe("agents that come as npm packages", () => {
  const place = mkdtempSync(join(tmpdir(), "signalbox-packages-"));
  afterAll(() => rmSync(place, { recursive: true, force: true }));
  const folder = join(place, "agents");
  const isolation = new Isolation({ hide: () => [place], readable: [folder] });
  const packages = new AgentPackages(folder, { isolation, environment: process.env });

  test("[LK29] a package is installed once, in a folder of its own, and provides its program", async () => {
    const [first, again] = await Promise.all([
      packages.resolveProgram("semver@7.7.2"),
      packages.resolveProgram("semver@7.7.2"),
    ]);
    expect(first).toBe(again);
    expect(first.startsWith(place)).toBe(true);
    expect(existsSync(first)).toBe(true);
    const inside = readdirSync(folder, { recursive: true, encoding: "utf8" });
    const found = inside.map((name) => lstatSync(join(folder, name)));
    expect(found.filter((each) => each.isSymbolicLink())).toEqual([]); // the hub refuses links in its folder
    expect(found.filter(({ mode }) => (mode & 0o077) !== 0)).toEqual([]);
  });

  test.each(["semver", "semver@latest", "semver@^7.0.0", "--global", "../here@1.0.0", "a b@1.0.0"])(
    "[LK29] %p is not a package with an exact version, and nothing is run",
    async (wanted) => {
      const failure: unknown = await packages.resolveProgram(wanted).catch((why: unknown) => why);
      expect(failure).toBeInstanceOf(Error);
      expect((failure as Error).message).toContain("exact version");
    },
  );

  test.if(bubblewrapMissing === undefined)(
    "[LK46] npm is isolated as an agent is, and gives no links to the data folder",
    async () => {
      const programs = mkdtempSync(join(tmpdir(), "signalbox-npm-"));
      const secret = join(place, "secret");
      writeFileSync(secret, "a key");
      const link = `ln -s "${secret}" node_modules/one/link`;
      const packageJson = `'{"bin":"one.js"}' > node_modules/one/package.json`;
      const install = (more: string) =>
        `cd "$3" && mkdir -p node_modules/one && echo ${packageJson} && touch node_modules/one/one.js\n${more}`;
      const steal = `cat "${secret}" > "${programs}/read"; touch "${programs}/ran"`;
      const writeNpm = (more: string) =>
        writeFileSync(join(programs, "npm"), `#!/bin/sh\n${install(more)}\n`, { mode: 0o755 });
      const own = new AgentPackages(folder, {
        isolation,
        environment: { PATH: programs, SECRET_OF_THE_HUB: "a key" },
        systemFolders: [],
      });
      writeNpm(`${steal}; env > "${programs}/env"`);
      expect(existsSync(await own.resolveProgram("one@1.0.0"))).toBe(true);
      expect(existsSync(join(programs, "ran"))).toBe(true);
      expect(readFileSync(join(programs, "read"), "utf8")).toBe("");
      expect(readFileSync(join(programs, "env"), "utf8")).not.toContain("SECRET_OF_THE_HUB");
      writeNpm(link);
      const failure: unknown = await own.resolveProgram("one@1.0.1").catch((why: unknown) => why);
      expect(failure).toMatchObject({ code: "bad-package" });
      writeNpm(`echo '{"bin":"../../../secret"}' > node_modules/one/package.json`);
      const outside: unknown = await own.resolveProgram("one@1.0.2").catch((why: unknown) => why);
      expect(outside).toMatchObject({ code: "bad-package" });
      rmSync(programs, { recursive: true });
    },
  );

  test("[LK46] npm of the system is used before one in a folder of the user's", async () => {
    const programs = mkdtempSync(join(tmpdir(), "signalbox-npm-"));
    const user = join(programs, "user");
    const system = join(programs, "system");
    for (const each of [user, system]) {
      mkdirSync(each);
      const script = `#!/bin/sh\necho ${basename(each)} >> "${programs}/ran"\nexit 1\n`;
      writeFileSync(join(each, "npm"), script, { mode: 0o755 });
    }
    const environment = { PATH: `${user}:/usr/bin:/bin` };
    const own = new AgentPackages(folder, { isolation, environment, systemFolders: [system] });
    await own.resolveProgram("one@2.0.0").catch(() => {});
    expect(readFileSync(join(programs, "ran"), "utf8")).toBe("system\n");
    rmSync(programs, { recursive: true });
  });
});
