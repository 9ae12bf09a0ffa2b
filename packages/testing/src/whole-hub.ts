import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { importDeviceKey } from "@signalbox/client";
import { type HubExtension, type HubOptions, type RunningHub, startHub } from "@signalbox/hub";
import { startModel } from "@signalbox/model";
import type { DeviceRole, PairedDevice, Pairing } from "@signalbox/api";
import { COMMAND_HEADER } from "@signalbox/api/constants";
import { testedAgent } from "./tested-agent.ts";
import { expect } from "bun:test";
import { localRunner } from "./programs.ts";
import { until } from "./until.ts";
import { authorization, newDevice, signedBody } from "./signed-requests.ts";

/** A hub with its own runner and a scripted model, in a place that goes with the test. */
export async function openWhole(...extensions: HubExtension[]) {
  return openWholeWith({ extensions });
}

/** The same, with more of the hub's options. */
export async function openWholeWith(options: Partial<HubOptions>) {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "signalbox-whole-")));
  const folder = join(place, "work");
  const home = join(place, "home");
  mkdirSync(folder);
  mkdirSync(home);
  const model = await startModel({ script: "" });
  const clean = ["env", "-i", `HOME=${home}`, `PATH=${process.env["PATH"]}`, "LANG=C.UTF-8"];
  const hub = await startHub({
    data: join(place, "data"),
    version: "0.0.0",
    port: 0,
    runner: [...clean, process.execPath, localRunner, "--own"],
    runnerWaitMs: 100,
    roots: [place],
    ...options,
  });
  return {
    place,
    folder,
    hub,
    environment: {
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: "dummy-key-for-tests",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
    },
    async [Symbol.asyncDispose]() {
      const text = readFileSync(join(place, "data", "runner", "runner.log"), "utf8");
      const pid = Number(/pid (\d+)/.exec(text)?.[1]);
      await hub.stop();
      if (pid > 0) process.kill(pid, "SIGTERM");
      await until(() => !existsSync(`/proc/${pid}`));
      await model.close();
      rmSync(place, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

export function caller(hub: RunningHub, token: string) {
  return async (method: string, path: string, body?: unknown, command: string = randomUUID()) => {
    const signed = signedBody(path, token, body);
    const sent = signed === undefined ? "" : JSON.stringify(signed);
    const response = await fetch(hub.url + path, {
      method,
      headers: {
        authorization: await authorization(hub.url, token, method, path, sent),
        [COMMAND_HEADER]: command,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: sent }),
    });
    const text = await response.text();
    return { status: response.status, body: (text ? JSON.parse(text) : undefined) as never };
  };
}

/** Paired, with the agent of the tests in its settings, and its runner there. */
export async function settle({ hub, place, environment }: Awaited<ReturnType<typeof openWhole>>) {
  const code = hub.firstPairing()?.code;
  const { publicKey, createKey } = newDevice();
  const first = await caller(hub, "x")("POST", "/api/pair", { code, name: "desk", publicKey });
  const paired = first.body as PairedDevice;
  const key = createKey(paired.device.id);
  const admin = caller(hub, key);
  /** The same device, as the client library holds it. */
  const device = { ...(await importDeviceKey(key)), hub: paired.hub };
  const driver = caller(hub, readFileSync(join(place, "data", "command-line.key"), "utf8").trim());
  await admin("PUT", "/api/environments", { test: environment });
  const agent = { name: "claude-code", path: testedAgent, environment: "test" };
  expect((await admin("PUT", "/api/agents", [agent])).status).toBe(204);
  await until(() => hub.engine.runners.list().some(({ online, own }) => online && own));
  return { admin, driver, device };
}
/** Another device of a role, which the admin lets in. */
export async function pairAs(
  hub: RunningHub,
  admin: ReturnType<typeof caller>,
  role: DeviceRole,
): Promise<ReturnType<typeof caller>> {
  const { code } = (await admin("POST", "/api/pairings", { role })).body as Pairing;
  const { publicKey, createKey } = newDevice();
  const body = { code, name: `a ${role}`, publicKey };
  const paired = await caller(hub, "x")("POST", "/api/pair", body);
  return caller(hub, createKey((paired.body as PairedDevice).device.id));
}
export type Whole = Awaited<ReturnType<typeof openWhole>>;
