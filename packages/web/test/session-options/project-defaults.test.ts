import { expect, test } from "bun:test";
import { describeDefaults, toProjectDefaults } from "../../src/session-options/project-defaults.ts";

test("a project remembers options without secrets, and without what is the default anyway", () => {
  const agents = [{ name: "claude-code", driver: "stdio", models: [], flags: [] }];
  const options = {
    agent: "claude-code",
    driver: "stdio",
    model: "opus",
    variables: { TOKEN: null, KEY: "secret", SHOWN: { value: "yes" } },
    mcpServers: {
      open: { type: "http" as const, url: "https://example.com" },
      closed: { command: "run", env: { KEY: null } },
    },
  };
  expect(toProjectDefaults(options, "plan", agents)).toEqual({
    defaults: {
      model: "opus",
      variables: { SHOWN: { value: "yes" } },
      mcpServers: { open: options.mcpServers.open },
      policy: "plan",
    },
    hasLeftOutSecrets: true,
  });
  expect(toProjectDefaults({ agent: "old", driver: "sdk" }, "autonomous", agents)).toEqual({
    defaults: { agent: "old", driver: "sdk" },
    hasLeftOutSecrets: false,
  });
  expect(describeDefaults({})).toBe("");
  expect(describeDefaults({ model: "opus", maxTurns: 3, addDirs: ["/a"] })).toBe(
    "model opus, maximum turns 3, additional folders",
  );
});
