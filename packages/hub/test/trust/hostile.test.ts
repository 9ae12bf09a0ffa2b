import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { NewSession } from "@signalbox/api";
import { person } from "@signalbox/testing/engine-stage";
import { Grounds } from "./grounds.ts";
import { hostileRepositories } from "./hostile.ts";

setDefaultTimeout(180_000);

/** `npm run test:trust` plays all of it: every repository × policy × driver × version. */
const isWhole = process.env["SIGNALBOX_TEST_TRUST"] === "whole";

interface Setup {
  readonly name: string;
  readonly agent: string;
  readonly driver: string;
}
const setups: readonly Setup[] = [
  { name: "Claude Code 2.1.325 over stdio", agent: "claude-code", driver: "stdio" },
  { name: "Claude Code 2.1.325 over sdk", agent: "claude-code", driver: "sdk" },
  { name: "Claude Code 2.1.7 over stdio", agent: "old", driver: "stdio" },
  { name: "Claude Code 2.1.7 over sdk", agent: "old", driver: "sdk" },
  { name: "Claude Code 2.1.7 over sdk-url", agent: "old", driver: "sdk-url" },
  { name: "signalbox-agent over stdio", agent: "signalbox-agent", driver: "stdio" },
];
type Policy = NonNullable<NewSession["policy"]>;
const policies: readonly Policy[] = ["default", "plan", "supervised", "accept-edits", "autonomous"];

const playedPolicies = isWhole ? policies : policies.slice(0, 1);
const wanted = process.env["SIGNALBOX_TEST_SETUP"];
const played = (isWhole ? setups : setups.slice(0, 1)).filter(({ name }) =>
  name.includes(wanted ?? ""),
);
/** In `npm test`: one hook, one helper, one server, one variable that leads the key away. */
const short = new Set(["UserPromptSubmit hook", "apiKeyHelper", "ANTHROPIC_BASE_URL"]);
const repositories = hostileRepositories.filter(({ name }) => isWhole || short.has(name));

describe.each(played)("hostile repositories, $name", ({ agent, driver }) => {
  let grounds: Grounds;
  beforeAll(async () => {
    grounds = await Grounds.open();
  });
  afterAll(async () => {
    await grounds[Symbol.asyncDispose]();
  });

  describe.each(repositories.map((one) => [one.name, one] as const))("%s", (_, repository) => {
    test.each(playedPolicies)(
      "[TS1] before anyone trusts the folder nothing of it runs under the policy %s, and the question names it",
      async (policy) => {
        const ground = grounds.plant(repository);
        grounds.forget(ground);
        const session = await grounds.session(ground, { agent, driver, policy });
        await grounds.run(session);
        expect(grounds.canaries(ground)).toEqual([]);
        expect(grounds.ledAstray).toEqual([]);
        const { engine } = grounds.stage;
        expect(engine.sessions.get(session).trust?.state).toBe("off");
        const question = await engine.trust.inspectSession(session);
        expect(question.state).toBe("off");
        expect(question.findings.map(({ text }) => text).join("\n")).toContain(repository.names);
      },
    );

    test("[TS3] once it is trusted it runs, and a change of it is asked about again", async () => {
      const { engine } = grounds.stage;
      const ground = grounds.plant(repository);
      const { folder } = ground;
      const { hash, runner } = await engine.trust.inspectFolder(undefined, folder, person);
      await engine.trust.grant({ runner, folder, hash }, person);
      const session = await grounds.session(ground, { agent, driver });
      grounds.forget(ground);
      await grounds.run(session);
      // Whoever trusts a proxy may lose the agent to it before it is up.
      if (grounds.ledAstray.length === 0) {
        expect(engine.sessions.get(session).trust?.state).toBe("trusted");
      }
      const seen = [...grounds.canaries(ground), ...grounds.ledAstray];
      if (repository.fires !== "nothing") {
        expect(seen).not.toEqual([]);
      }
      mkdirSync(join(folder, ".claude"), { recursive: true });
      writeFileSync(join(folder, ".claude/settings.local.json"), '{"env":{"ADDED":"1"}}');
      grounds.forget(ground);
      await grounds.run(session);
      expect(grounds.canaries(ground)).toEqual([]);
      expect(grounds.ledAstray).toEqual([]);
      expect(engine.sessions.get(session).trust?.state).toBe("changed");
      const again = await engine.trust.inspectFolder(runner, folder, person);
      expect(again.state).toBe("changed");
      expect(again.findings.filter(({ id }) => again.untrusted.includes(id))).toMatchObject([
        { text: "ADDED=1" },
      ]);
    });
  });
});
