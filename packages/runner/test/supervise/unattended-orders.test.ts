import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { OrderOfKind } from "@signalbox/api/link";
import { openRunner, startFake } from "./runner-stage.ts";

setDefaultTimeout(180_000);

let stage: Awaited<ReturnType<typeof openRunner>>;
beforeAll(async () => {
  stage = await openRunner({ verifyDecisions: true });
  await stage.hub.order(startFake("live", "obeys"));
});
afterAll(() => stage[Symbol.asyncDispose]());

type Launch = OrderOfKind<"start">["launch"];
const launches: readonly [string, Partial<Launch>][] = [
  ["dangerouslySkipPermissions", { dangerouslySkipPermissions: true }],
  ["allowedTools", { allowedTools: ["Bash"] }],
  ["settings", { settings: { permissions: { allow: ["Bash"] } } }],
  ["settingSources", { settingSources: ["user", "project"] }],
  ["the mode bypassPermissions", { permissionMode: "bypassPermissions" }],
  ["a flag", { flags: ["--dangerously-skip-permissions"] }],
  ["a flag for tools", { flags: ["--verbose", "--allowedTools", "Bash"] }],
  ["a flag for settings", { flags: ['--settings={"permissions":{"allow":["Bash"]}}'] }],
  ["a flag for sources of settings", { flags: ["--setting-sources=user,project"] }],
  ["a flag for a plugin", { flags: ["--plugin-dir=/evil"] }],
];
test.each(launches)(
  "[HD19] the runner starts no agent with %s, whoever orders it",
  async (_, more) => {
    const order = startFake("loose", "obeys");
    const launch = { ...order.launch, ...more };
    expect(await stage.hub.order({ ...order, launch })).toMatchObject({
      problem: { code: "unattended" },
    });
  },
);

const requests: readonly [string, Record<string, unknown>][] = [
  ["set_permission_mode", { mode: "bypassPermissions" }],
  ["apply_flag_settings", { settings: { permissions: { allow: ["Bash"] } } }],
  ["mcp_set_servers", { servers: { x: { command: "touch" } } }],
];
test.each(requests)(
  "[HD19] the runner does not pass on %s with which nobody is asked",
  async (subtype, fields) => {
    const order = {
      kind: "request",
      session: "live",
      run: "run-of-live",
      subtype,
      fields,
    } as const;
    expect(await stage.hub.order(order)).toMatchObject({ problem: { code: "unattended" } });
  },
);

test("[HD19] what hubs order is carried out", async () => {
  const order = startFake("plain", "obeys");
  const launch = { ...order.launch, permissionMode: "acceptEdits" };
  expect(await stage.hub.order({ ...order, launch })).not.toHaveProperty("problem");
});
