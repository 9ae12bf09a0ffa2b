import { afterAll, beforeAll, expect, test } from "bun:test";
import type { SharedStage, Window } from "../stage.ts";

/** Relays of other programs on the hub's machine, while the overview is open. */
export function nearby(stage: SharedStage): void {
  let window: Window;
  beforeAll(async () => {
    window = await stage.open({ name: "The desk" });
  });
  afterAll(() => stage.rest());

  test("[DC8] a relay that starts appears on the overview, and is gone when it stops, without a session", async () => {
    const { page } = window;
    const before = (await stage.hub.admin.sessions()).length;
    await page.goto(stage.url);
    await page.locator("[data-link=live]").waitFor();
    const relay = startRelay();
    try {
      const row = page.locator(`[data-role=found-relay][data-port="${relay.port}"]`);
      await row.getByText("An agent is connected.").waitFor();
      // The relay of this hub is off, so there is nothing to attach with yet.
      expect(await row.getByRole("link").getAttribute("href")).toBe("/settings/relay");
      await relay.stop(true);
      await row.waitFor({ state: "detached" });
    } finally {
      await relay.stop(true);
    }
    expect(await page.locator("[data-role=toast]").count()).toBe(0);
    expect(relay.received).toEqual([]);
    expect((await stage.hub.admin.sessions()).length).toBe(before);
  });
}

/** A relay on one of the ports that the hub looks at: it says on `/ws` that it has an agent. */
function startRelay() {
  const received: string[] = [];
  for (let port = 8774; port > 8765; port--) {
    try {
      const server = Bun.serve({
        hostname: "127.0.0.1",
        port,
        reusePort: false,
        fetch: (request, self) =>
          new URL(request.url).pathname === "/ws" && self.upgrade(request)
            ? undefined
            : new Response("not here", { status: 404 }),
        websocket: {
          open: (socket) =>
            void socket.send('{"type":"status","text":"claude code is connected"}\n'),
          message: (_, text) => void received.push(String(text)),
        },
      });
      return { port, received, stop: (force: boolean) => server.stop(force) };
    } catch {
      // Another program has this port.
    }
  }
  throw new Error("none of the ports 8766 to 8774 is free");
}
