import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { plantBunSettings } from "@signalbox/testing/bun-settings";
import { openStage } from "@signalbox/testing/cli-stage";
import { signalboxAgent } from "@signalbox/testing/programs";

setDefaultTimeout(180_000);

let stage: Awaited<ReturnType<typeof openStage>>;
let planted: ReturnType<typeof plantBunSettings>;
let data: string;
beforeAll(async () => {
  stage = await openStage();
  data = join(stage.folder, "../data");
  const variables = "SIGNALBOX_URL=http://127.0.0.1:9\nSIGNALBOX_DATA=/nowhere\n";
  planted = plantBunSettings(stage.folder, join(stage.folder, "../canary"), variables);
});
afterAll(() => stage[Symbol.asyncDispose]());

describe("a command that is typed in a folder", () => {
  test.each(["--version", "doctor", "ls", "new .", "trust", "audit", "stop --all"])(
    "[TS19] runs nothing of it, and takes no variable from it: %s",
    async (command) => {
      const { stderr } = await stage.signalbox(command.split(" "), { onNode: true });
      expect(planted.ran()).toBe("");
      expect(stderr).not.toContain("127.0.0.1:9");
      expect(stderr).not.toContain("/nowhere");
    },
  );

  test("[TS19] serve runs nothing of it in any of its processes", async () => {
    const serving = stage.start(["serve", "--port", "0", "--data", data], { onNode: true });
    const reader = serving.stdout.getReader();
    await reader.read(); // it says where it is
    reader.releaseLock();
    const listed = await stage.signalbox(["ls", "--json", "--data", data], { onNode: true });
    expect(listed.exit).toBe(0);
    serving.kill("SIGTERM");
    await serving.exited;
    await stage.signalbox(["stop", "--all", "--data", data], { onNode: true });
    expect(planted.ran()).toBe("");
  });

  test("[TS19] signalbox-agent runs nothing of it", async () => {
    const child = Bun.spawn(["node", signalboxAgent, "--version"], {
      cwd: stage.folder,
      stdout: "pipe",
    });
    expect(await new Response(child.stdout).text()).toContain("signalbox-agent");
    expect(planted.ran()).toBe("");
  });
});

describe("programs that lie where an agent may write", () => {
  test("[TS20] no translated copies of the program lie in the home folder", async () => {
    await stage.signalbox(["ls"], { onNode: true });
    await stage.signalbox(["doctor"], { onNode: true });
    expect(existsSync(join(stage.folder, "../home/.bun"))).toBe(false);
  });

  test("[TS20] a Bun in the home folder is not the one that runs a command", async () => {
    const home = join(stage.folder, "../home");
    const { platform, arch } = process;
    for (const name of ["", "-baseline"]) {
      const cpu = arch === "arm64" ? "aarch64" : arch;
      const bin = join(home, `.node_modules/@oven/bun-${platform}-${cpu}${name}/bin`);
      mkdirSync(bin, { recursive: true });
      writeFileSync(join(bin, "bun"), "#!/bin/sh\necho not ours\n", { mode: 0o755 });
    }
    const { stdout } = await stage.signalbox(["--version"], { onNode: true });
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    const agent = Bun.spawn(["node", signalboxAgent, "--version"], {
      env: { PATH: process.env["PATH"], HOME: home },
      stdout: "pipe",
    });
    expect(await new Response(agent.stdout).text()).toContain("signalbox-agent");
  });
});
