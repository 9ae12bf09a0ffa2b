import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { serious } from "./axe.ts";
import { openPageStage, PATIENCE_MS, type PageStage } from "./stage.ts";

setDefaultTimeout(180_000);

let stage: PageStage;
beforeAll(async () => {
  stage = await openPageStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

test.each(["light", "dark"] as const)(
  "[PG16] axe finds nothing serious before a browser is paired, %s",
  async (colorScheme) => {
    const context = await stage.browser.newContext({ colorScheme });
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    await page.goto(stage.url);
    await page.getByRole("heading").first().waitFor();
    expect(await serious(page)).toEqual([]);
    const { url } = await stage.hub.admin.createPairing("viewer");
    await page.goto(url);
    await page.locator("[data-role=device-name]").waitFor();
    expect(await serious(page)).toEqual([]);
    await context.close();
  },
);

test("[IV10] a diagram of the agent's is drawn in a frame of the hub's, and axe finds nothing serious", async () => {
  const window = await stage.open();
  const code = "flowchart LR\n  a[First] --> b[Second]";
  await window.begin(`Draw.\n::say <<END\nSee:\n\n\`\`\`mermaid\n${code}\n\`\`\`\n\nDrawn.\nEND`);
  await window.reads("Drawn.");
  await window.conversation.locator("[data-diagram=drawn]").waitFor();
  await window.conversation.frameLocator("iframe").getByText("Second").waitFor();
  expect(await serious(window.page)).toEqual([]);
  expect(window.troubles()).toEqual([]);
});
