import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { until } from "@signalbox/testing/until";
import {
  type Impostor,
  IMPOSTOR_MARK,
  recordIdentity,
  startImpostor,
} from "@signalbox/testing/impostor";
import { buildPage } from "../e2e/build-page.ts";
import { SharedStage, type Window } from "../e2e/stage.ts";

setDefaultTimeout(600_000);

const ROUNDS = 5;

const stage = new SharedStage();
let window: Window;
beforeAll(async () => {
  buildPage();
  await stage.start();
  window = await stage.open({ name: "The paired browser" });
  await window.begin("A private title.\n::say Ready.");
  await window.reads("Ready.");
  await window.page.waitForFunction(() => navigator.serviceWorker.controller !== null);
});
afterAll(() => stage.end());

/** What the person does in the page; at once, without waiting for the page to notice anything. */
async function pressAtOnce(message: string): Promise<void> {
  const { page } = window;
  await page.locator("[data-role=composer]").fill(message);
  await page.evaluate(() => {
    for (const role of ["send", "allow"]) {
      document.querySelector<HTMLElement>(`[data-role=${role}]`)?.click();
    }
  });
}

/** All that an impostor was sent is questions of who it is. */
function expectNothingLearned(impostor: Impostor, secrets: readonly string[]): void {
  const all = impostor.texts().join("\n");
  const lines = new Set(impostor.requests().map(({ line }) => line));
  expect(lines).toEqual(new Set(["POST /api/identity"]));
  expect(all).not.toMatch(/authorization/i);
  expect(secrets.filter((secret) => all.includes(secret))).toEqual([]);
}

/** Chromium reports every refusal as an error, and one of the impostor's answers is a refusal. */
function isImpostorsRefusal(text: string): boolean {
  return /status of 401 .*\/api\/identity$/.test(text);
}

test.each(Array.from({ length: ROUNDS }, (_, nth) => nth + 1))(
  "[HD6] who takes the port of a killed hub learns nothing from the page, the command line and the runner, and shows nothing in the page: restart %i",
  async (round) => {
    const { page } = window;
    const { hub } = stage;
    const id = page.url().split("/s/")[1] ?? "";
    await window.shows("idle");
    const made = `made-${round}.txt`;
    await window.say(`Go.\n::tool Bash {"command":"touch ${made}"}\n::say Allowed ${round}.`);
    await window.ask.waitFor();
    await window.settled("[data-role=allow]");
    const ask = (await hub.admin.asks()).find(({ status }) => status === "open");
    const recorded = await recordIdentity(hub.url);
    using impostor = await startImpostor({ port: hub.port, recorded });

    const message = `Typed in restart ${round} for the hub alone.\n::say Heard ${round}.`;
    await hub.killHub();
    await impostor.hasPort();
    if (round % 2 === 0) await page.locator("[data-link=offline]").waitFor();
    await pressAtOnce(message);
    await page.locator("[data-role=unsent]").getByText("for the hub alone").waitFor();
    const from = (agent: RegExp) => impostor.requests().filter(({ head }) => agent.test(head));
    const asked = () => ({
      page: from(/user-agent: Mozilla/i).length,
      runner: from(/host: 127\.0\.0\.1/i).length,
    });
    await until("the page and the runner have asked who it is", () => {
      const { page, runner } = asked();
      return page > 2 && runner > 2;
    });
    for (const args of [["ls"], ["send", id, "Sent for the hub alone."]]) {
      const { exit, stderr } = await hub.command(args);
      expect(exit).toBe(1);
      expect(stderr).toContain("is not the hub");
    }
    const before = asked().page;
    await until("the page goes on asking", () => asked().page > before + 1, { seen: asked });
    expect(await page.locator("[data-link=offline]").count()).toBe(1);
    expect(await page.evaluate(() => document.documentElement.outerHTML)).not.toContain(
      IMPOSTOR_MARK,
    );
    expect(hub.has(made)).toBe(false);
    await impostor.end();
    const title = "A private title";
    const secrets = ["for the hub alone", title, id, ask?.id ?? id, ask?.hash ?? id, made];
    expectNothingLearned(impostor, secrets);

    await hub.serveAgain();
    await page.locator("[data-link=live]").waitFor();
    await window.shows("needs you");
    await window.allow();
    await window.reads(`Allowed ${round}.`);
    await window.reads(`Heard ${round}.`);
    const said = await window.conversation.locator("[data-kind=prompt]").allInnerTexts();
    expect(said.filter((text) => text.includes(`Typed in restart ${round} `))).toHaveLength(1);
    await window.vanish(page.locator("[data-role=unsent]"));
    expect((await hub.command(["ls"])).stdout).toContain(title);
    expect(window.troubles().filter((text) => !isImpostorsRefusal(text))).toEqual([]);
  },
);
