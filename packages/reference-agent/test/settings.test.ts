import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "bun:test";
import type { AuthStatus } from "@signalbox/agent";
import { answerControl } from "../src/control.ts";
import { describeSettings } from "../src/flag-settings.ts";
import { Credentials } from "../src/model/credentials.ts";
import { flawsText, readSettingsText } from "../src/settings-flaws.ts";
import { getPreface, systemPrompt } from "../src/turn/system-prompt.ts";
import { openToolStage } from "./tool-stage.ts";

function getCredentials(helper: string | undefined, environment: Record<string, string> = {}) {
  const said: AuthStatus[] = [];
  const reported: string[] = [];
  const credentials = new Credentials({
    environment: { PATH: process.env["PATH"], ...environment },
    helper: () => helper,
    say: (status) => said.push(status),
    report: (sentence) => reported.push(sentence),
  });
  return { credentials, said, reported };
}

describe("the model's key", () => {
  test("[RA34] comes from the environment, or from a helper that runs again when its key is refused", async () => {
    const named = getCredentials(undefined, { ANTHROPIC_API_KEY: "k", ANTHROPIC_AUTH_TOKEN: "t" });
    expect(await named.credentials.get()).toEqual({ apiKey: "k", authToken: "t" });
    expect(await getCredentials(undefined).credentials.get()).toEqual({
      apiKey: null,
      authToken: null,
    });
    const { credentials, said } = getCredentials("echo key-$RANDOM$$");
    const first = await credentials.get();
    expect(first.apiKey).toStartWith("key-");
    expect(first.authToken).toBe(first.apiKey);
    expect(await credentials.get()).toEqual(first);
    credentials.forget();
    expect((await credentials.get()).apiKey).not.toBe(first.apiKey);
    expect(said).toEqual([]);
  });

  test("[RA34] a failing helper is reported, step by step", async () => {
    const { credentials, said, reported } = getCredentials("echo locked >&2; exit 4");
    expect((await credentials.get()).apiKey?.trim()).toBe("");
    const error = "apiKeyHelper failed: exited 4: locked";
    expect(said).toEqual([
      { isAuthenticating: true, output: [] },
      { isAuthenticating: true, output: [], error },
      { isAuthenticating: false, output: [], error },
    ]);
    expect(credentials.status).toEqual({ isAuthenticating: false, output: [], error });
    expect(reported).toEqual([error]);
    expect((await getCredentials("true").credentials.get()).apiKey?.trim()).toBe("");
  });
});

const unloaded =
  "These settings files do not count, with all their hooks and rules, until this is mended:";
const skipped = "These entries of settings do not count; the rest of their files does:";

describe("invalid settings", () => {
  test.each([
    ["{bad", [unloaded, "  f: Invalid or malformed JSON"]],
    ["[]", [unloaded, "  f: Expected object, but received array"]],
    [
      '{"permissions":{"deny":5}}',
      [unloaded, "  f (permissions.deny): Expected array, but received number"],
    ],
    [
      '{"env":5,"model":7}',
      [
        unloaded,
        "  f (env): Expected record, but received number",
        "  f (model): Expected string, but received number",
      ],
    ],
    [
      '{"permissions":{"allow":[5]},"hooks":5}',
      [
        skipped,
        "  f (permissions.allow): Non-string value in allow array was removed",
        '  f (hooks): "hooks" must be an object mapping event names to matcher arrays; received number. This field was ignored.',
      ],
    ],
    ["", []],
    ['{"nonsense":5}', []],
  ])("[RA50] %p is told of in Claude Code's words", (text, said) => {
    expect(flawsText([readSettingsText(text, "f")])).toBe(said.join("\n"));
  });

  test("[RA50] they are reported at the start, and so are unknown levels of effort", () => {
    using stage = openToolStage({
      args: ["--settings", '{"permissions":{"deny":5}}', "--effort", "foo"],
    });
    expect(stage.reported).toEqual([
      `${unloaded}\n  --settings (inline JSON) (permissions.deny): Expected array, but received number`,
      "Warning: Unknown --effort value 'foo' — ignoring it and using the default effort. Valid values: low, medium, high, xhigh, max.",
    ]);
  });
});

test("[RA50] the folder's instructions are added to the host's system prompt", async () => {
  using stage = openToolStage({
    files: { "CLAUDE.md": "Be brief." },
    args: ["--system-prompt", "You sing.", "--append-system-prompt", "Loudly."],
  });
  const preface = await getPreface(stage.session);
  const told = systemPrompt(preface).join("\n");
  for (const words of ["You sing.", "Loudly."]) expect(told).toContain(words);
  expect(preface.memory.map(({ text }) => text)).toEqual(["Be brief."]);
});

describe("changing settings during a session", () => {
  test("[RA35] rules, variables, model and effort take effect at once, null removes a key, and invalid values change nothing", async () => {
    using stage = openToolStage({ args: ["--effort", "max"] });
    const { session } = stage;
    const apply = (settings: unknown) =>
      answerControl(session, { subtype: "apply_flag_settings", settings });
    const applied = () => (describeSettings(session) as { applied: object }).applied;
    expect(applied()).toMatchObject({ model: "claude-opus-5-5", effort: "max" });
    expect(await apply({ model: "sonnet", effortLevel: "low", env: { A: "b" } })).toBeNull();
    expect(applied()).toMatchObject({ model: "claude-sonnet-5-5", effort: "low" });
    await apply({ permissions: { deny: ["Write"] }, effortLevel: null });
    expect(session.permission.rules.deny.map(({ tool }) => tool)).toEqual(["Write"]);
    expect(session.settings.environment).toEqual({ A: "b" });
    const before = describeSettings(session);
    const refused = await apply({ env: { A: 7 }, model: "haiku" }).catch(String);
    expect(refused).toContain("env.A");
    expect(await apply(null).catch(String)).toContain("got null");
    expect(describeSettings(session)).toEqual(before);
    await apply({ permissions: null, model: null });
    expect(session.permission.rules.deny).toEqual([]);
    expect(applied()).toMatchObject({ model: "claude-opus-5-5", effort: "medium" });
    expect(describeSettings(session)).toMatchObject({
      effective: { env: { A: "b" } },
      sources: [{ source: "flagSettings", settings: { env: { A: "b" } } }],
    });
  });
});

test("[RA35] an unreadable settings file is not changed when something is always allowed", () => {
  const broken = '{ "env": { "A": "b" }, // mine\n';
  const name = ".claude/settings.local.json";
  using stage = openToolStage({ files: { [name]: broken } });
  stage.session.permission.update({
    type: "addRules",
    behavior: "allow",
    rules: [{ toolName: "Write" }],
    destination: "localSettings",
  });
  expect(readFileSync(join(stage.folder, name), "utf8")).toBe(broken);
  expect(stage.reported.at(-1)).toContain(name);
  expect(stage.session.permission.rules.allow.map(({ tool }) => tool)).toEqual(["Write"]);
});
