import { expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempFolder } from "@signalbox/testing/fake-agent";
import { hasUserHooks } from "../../src/trust/user-hooks.ts";

const settings: Readonly<Record<string, boolean>> = {
  "{}": false,
  '{"hooks":{"Stop":[]}}': false,
  '{"note":"PreToolUse"}': false,
  '{"hooks":{"PreToolUse":[]}}': true,
  '{"hooks":{"\\u0050reToolUse":[]}}': true,
  '{"hooks":{"Permission\\u0052equest":[]}}': true,
  '{"enabled\\u0050lugins":{"a@b":true}}': true,
  '{"hooks":"elsewhere"}': true,
  "[]": true,
  '{"hooks":': true,
};

test.each(Object.entries(settings))(
  "[TS16] whether the user has hooks is read as Claude Code reads it: %s",
  (text, has) => {
    using home = tempFolder();
    writeFileSync(join(home.path, "settings.json"), text);
    expect(hasUserHooks({ CLAUDE_CONFIG_DIR: home.path })).toBe(has);
  },
);

test("[TS16] settings of the user that cannot be read may have hooks, and hold nothing up; without any there are none", () => {
  using home = tempFolder();
  const env = { HOME: home.path };
  expect(hasUserHooks(env)).toBe(false);
  const config = join(home.path, ".claude");
  mkdirSync(join(config, "settings.json"), { recursive: true });
  expect(hasUserHooks(env)).toBe(true);
  const piped = join(home.path, "piped");
  mkdirSync(piped);
  execFileSync("mkfifo", [join(piped, "settings.json")]);
  expect(hasUserHooks({ CLAUDE_CONFIG_DIR: piped })).toBe(true);
});
