import { expect, setDefaultTimeout, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connect } from "@signalbox/client";
import { openStage } from "@signalbox/testing/cli-stage";
import { serve } from "@signalbox/testing/held-hub";
import { pairDevice } from "@signalbox/testing/paired-device";
import { until } from "@signalbox/testing/until";
import { planService, type ServiceOptions } from "../src/service/service-plan.ts";

setDefaultTimeout(180_000);

const options: ServiceOptions = {
  command: [process.execPath, "--no-env-file", "/opt/with space/100% $HOME/main.ts"],
  data: "/srv/signalbox data",
  port: 8765,
  hasIpv6: true,
  path: "/usr/bin:/bin",
  isSystem: true,
  home: "/root",
};

const hasVerify = spawnSync("systemd-analyze", ["--version"]).status === 0;

test.skipIf(!hasVerify)(
  `the units are accepted by systemd-analyze verify${hasVerify ? "" : " (it is not installed)"}`,
  async () => {
    await using stage = await openStage();
    const plan = planService("linux", { ...options, command: [process.execPath, "main.ts"] });
    const paths = (plan?.files ?? []).map(({ path, content }) => {
      const file = stage.at(path.split("/").at(-1) ?? "");
      writeFileSync(file, content);
      return file;
    });
    expect(paths).toHaveLength(3);
    const { status, stderr } = spawnSync("systemd-analyze", ["verify", ...paths]);
    expect(String(stderr)).toBe("");
    expect(status).toBe(0);
  },
);

test("units quote what systemd and launchd would read in another way", () => {
  const { files = [] } = planService("linux", options) ?? {};
  const hub = files.find(({ path }) => path.endsWith("/signalbox.service"))?.content;
  expect(hub).toContain(
    `--no-env-file "/opt/with space/100%% $$HOME/main.ts" serve --runner-service --data "/srv/signalbox data"`,
  );
  const socket = files.find(({ path }) => path.endsWith(".socket"))?.content;
  expect(socket).toContain("ListenStream=127.0.0.1:8765\nListenStream=[::1]:8765\n");
  const data = "/Users/a & b/<data>";
  const [plist] = planService("darwin", { ...options, data })?.files ?? [];
  expect(plist?.content).toContain("<string>/Users/a &amp; b/&lt;data&gt;</string>");
  expect(planService("win32", options)).toBeUndefined();
});

test("[HH79] with services of their own, hub and runner find each other, and the runner outlives the hub", async () => {
  await using stage = await openStage();
  const data = stage.at("../data");
  const runner = stage.start(["runner", "--service", "--data", data]);
  const served = await serve(stage, ["--runner-service"]);
  const { origin, hash } = served.link;
  const code = hash.replace("#pair=", "");
  const { credential: device } = await pairDevice({ url: origin, code, name: "one" });
  using admin = connect({ url: origin, device });
  using board = admin.watchBoard();
  const isOnline = () => board.view.runners.some(({ online, own }) => online && own);
  await until("the runner is there", isOnline);
  // It contains the runner's key, so it is gone as soon as it was read.
  expect(existsSync(join(data, "runner/start.json"))).toBe(false);
  const hub = await served.hub();
  process.kill(hub, "SIGKILL");
  await until("the next hub says where it is", () => served.starts() > 1);
  await until("the same runner is there again", isOnline);
  expect(runner.exitCode).toBeNull();
  expect(existsSync(join(data, "runner/start.json"))).toBe(false);
  runner.kill("SIGTERM");
  expect(await runner.exited).toBe(0);
  // The next one, as a service manager starts it, gets a key of its own.
  const next = stage.start(["runner", "--service", "--data", data]);
  await until("the next runner is there", () => !isOnline());
  await until("the next runner is there", isOnline);
  next.kill("SIGTERM");
  expect(await next.exited).toBe(0);
  await served.end();
});

/** Stands in for the service manager, which is not to be had in tests: notes its arguments. */
function fakeSystemctl(folder: string): string {
  mkdirSync(folder);
  const program = join(folder, "systemctl");
  writeFileSync(program, `#!/bin/sh\necho "$@" >> "${folder}/calls"\n`);
  chmodSync(program, 0o755);
  return folder;
}

test("`service` installs, describes and removes the units of a person", async () => {
  await using stage = await openStage();
  const bin = fakeSystemctl(stage.at("bin"));
  const environment = { PATH: `${bin}:${process.env["PATH"]}`, HOME: stage.at("home") };
  const service = (...args: string[]) =>
    stage.signalbox(["service", ...args, "--user", "--data", stage.at("data")], { environment });
  const before = await service("status");
  expect(before).toMatchObject({ exit: 1 });
  expect(before.stdout).toContain("is not installed");
  const printed = await service("install", "--print");
  expect(printed.stdout).toContain("[Socket]");
  expect(existsSync(join(bin, "calls"))).toBe(false);
  expect(await service("install")).toMatchObject({ exit: 0, stderr: "" });
  const folder = stage.at("home/.config/systemd/user");
  expect(readFileSync(join(folder, "signalbox-runner.service"), "utf8")).toContain("--service");
  expect(await service("status")).toMatchObject({ exit: 0 });
  expect(await service("remove")).toMatchObject({ exit: 0 });
  expect(existsSync(join(folder, "signalbox.service"))).toBe(false);
  expect(readFileSync(join(bin, "calls"), "utf8").split("\n")).toEqual([
    "--version",
    "--user daemon-reload",
    "--user enable --now signalbox.socket signalbox.service signalbox-runner.service",
    ...["socket", "service"].map((kind) => `--user is-active --quiet signalbox.${kind}`),
    "--user is-active --quiet signalbox-runner.service",
    "--user disable --now signalbox.socket signalbox.service signalbox-runner.service",
    "--user daemon-reload",
    "",
  ]);
});
