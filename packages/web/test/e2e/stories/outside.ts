import { afterAll, expect, test } from "bun:test";
import { serious } from "../axe.ts";
import type { SharedStage } from "../stage.ts";

/** What stands in frames, and who else is there. */
export function outside(stage: SharedStage): void {
  afterAll(() => stage.rest());

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

  test("[DC1] the Connect dialog shows what the hub finds, and axe finds nothing serious", async () => {
    const window = await stage.open();
    const opener = window.page.locator("[data-role=connect-open]");
    const more = window.page.locator("[data-role=overview-more]");
    // Without a session it stands on the empty page, and later in the menu.
    await opener.or(more).first().waitFor();
    if (await more.isVisible()) await more.click();
    await opener.click();
    const dialog = window.page.locator("[data-role=connect]");
    await dialog.locator("li, p + p").first().waitFor(); // somebody, or that nobody is there
    expect(await serious(window.page)).toEqual([]);
    expect(window.troubles()).toEqual([]);
  });

  test("[PG5] no page of others shows ours in a frame, to have it clicked unseen", async () => {
    const targets = ["/", "/inbox", "/settings", "/diagram.html"].map((path) => stage.url + path);
    const frames = targets.map((url) => `<iframe src="${url}" style="opacity:0.01"></iframe>`);
    const objects = targets.map((url) => `<object data="${url}"></object><embed src="${url}">`);
    const body = `<!doctype html><body>${frames.join("")}${objects.join("")}`;
    using thief = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: () => new Response(body, { headers: { "content-type": "text/html" } }),
    });
    const window = await stage.open(); // paired, as the thief would have it
    await window.page.goto(`http://127.0.0.1:${thief.port}/`, { waitUntil: "load" });
    const shown = await Promise.all(
      window.page
        .frames()
        .slice(1)
        .map(async (frame) => ({
          ours: frame.url().startsWith(stage.url),
          parts: await frame.locator("[data-role], button, iframe").count(),
        })),
    );
    expect(shown.length).toBeGreaterThanOrEqual(targets.length);
    expect(shown.filter(({ ours, parts }) => ours || parts > 0)).toEqual([]);
  });

  test("[HH5] whatever an address or the browser's store names, the page talks to its own origin alone", async () => {
    let visits = 0;
    using elsewhere = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => visit() });
    const visit = () => Response.json({ visit: ++visits });
    const window = await stage.open();
    const { page, context } = window;
    const other = `http://127.0.0.1:${elsewhere.port}`;
    const asked = new Set<string>();
    context.on("request", (request) => asked.add(new URL(request.url()).origin));
    page.on("websocket", (socket) => asked.add(new URL(socket.url()).origin));
    const names = ["server", "hub", "url", "origin", "api", "base"];
    const named = new URLSearchParams(names.map((name) => [name, other]));
    await page.evaluate(
      (all) => {
        for (const [name, value] of all) localStorage.setItem(name, value);
      },
      [...named],
    );
    for (const address of [`/?${named}`, `/#${named}`, `/inbox?${named}#${named}`]) {
      await page.goto(stage.url + address);
      await page.locator("[data-link=live]").waitFor();
      await page.evaluate((from) => postMessage({ server: from, hub: from }, "*"), other);
    }
    await page.reload();
    await page.locator("[data-link=live]").waitFor();
    expect([...asked].toSorted()).toEqual([stage.url, stage.url.replace("http", "ws")]);
    expect(visits).toBe(0);
  });
}
