import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { type Browser, chromium, type Page } from "playwright-core";
import { chromiumFlags, ensureChromium } from "../../../../scripts/ensure-chromium.mjs";
import { type TestServer, openTestServer } from "./stage.ts";

setDefaultTimeout(300_000);

/** What a page can do to an address, even with a ticket that is good. Gives back what it was let do. */
async function attack({ hub, ticket }: { hub: string; ticket: string }): Promise<string[]> {
  const reached = new Set<string>();
  const paths = ["/", "/health", "/api/sessions", "/api/identity", "/api/pair", "/api/hub"];
  const json = {
    "content-type": "application/json",
    "signalbox-command": "0b7e1b0e-3f9a-4c58-9d2e-6f1f3f0a7c11",
  };
  for (const path of paths) {
    for (const [what, init] of Object.entries({
      read: {},
      blind: { mode: "no-cors" as const },
      write: { method: "POST", body: "{}", headers: json },
      plain: { method: "POST", body: "{}", mode: "no-cors" as const },
      with: { credentials: "include" as const },
    })) {
      const answer = await fetch(hub + path, init).catch(() => undefined);
      if (answer && answer.type !== "opaque") reached.add(`${what} ${path} ${answer.status}`);
    }
  }
  const socket = (path: string) =>
    new Promise<void>((resolve) => {
      const protocols = ["signalbox.stream.v1", `ticket.${ticket}`];
      const ws = new WebSocket(hub.replace("http", "ws") + path, protocols);
      ws.addEventListener("open", () => {
        reached.add(`socket ${path}`);
        ws.close();
      });
      ws.addEventListener("error", () => resolve());
      ws.addEventListener("close", () => resolve());
    });
  await socket("/api/stream");
  await socket("/api/runner");
  const load = (tag: "img" | "script" | "iframe", path: string) =>
    new Promise<void>((resolve) => {
      const element = document.createElement(tag);
      element.addEventListener("load", () => {
        if (tag !== "iframe") reached.add(`${tag} ${path}`);
        resolve();
      });
      element.addEventListener("error", () => resolve());
      element.src = hub + path;
      document.body.append(element);
    });
  await load("img", "/favicon.svg");
  await load("script", "/health");
  await load("iframe", "/");
  for (const method of ["get", "post"]) {
    const frame = document.createElement("iframe");
    frame.name = `${method} ${hub}`; // each form has a frame of its own
    document.body.append(frame);
    const form = document.createElement("form");
    Object.assign(form, { action: `${hub}/api/pair`, method, target: frame.name });
    document.body.append(form);
    const loaded = new Promise((resolve) => frame.addEventListener("load", resolve));
    form.submit();
    await loaded;
  }
  return [...reached];
}

describe("pages of others in a real browser", () => {
  let testServer: TestServer;
  let browser: Browser;
  let evil: ReturnType<typeof Bun.serve>;
  let changes: number;
  beforeAll(async () => {
    testServer = await openTestServer();
    await newTicket();
    evil = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: () =>
        new Response("<!doctype html><body>evil", { headers: { "content-type": "text/html" } }),
    });
    const args = [...chromiumFlags, "--host-resolver-rules=MAP evil.test 127.0.0.1"];
    browser = await chromium.launch({ executablePath: ensureChromium(), args });
  });
  afterAll(async () => {
    await browser.close();
    await evil.stop(true);
    await testServer[Symbol.asyncDispose]();
  });

  /** A tab, and how the hub answered it. */
  async function openTab(): Promise<{ tab: Page; answers: Set<number> }> {
    const tab = await browser.newPage();
    tab.setDefaultTimeout(180_000);
    const answers = new Set<number>();
    tab.on("response", (answer) => {
      if (new URL(answer.url()).port === String(testServer.port)) answers.add(answer.status());
    });
    return { tab, answers };
  }
  /** From here on nothing more is to change. */
  const newTicket = async () => {
    const ticket = await testServer.getTicket(await testServer.tokenOf("admin"));
    changes = testServer.store.changes.length;
    return ticket;
  };
  const untouched = () => {
    expect(testServer.calls).toEqual([]);
    expect(testServer.served).toEqual([]);
    expect(testServer.store.changes.slice(changes)).toEqual([]);
  };

  test("[HH4] another site, and another port of this machine, reach nothing: by fetch, socket, form, image, script or frame", async () => {
    for (const host of ["evil.test", "127.0.0.1", "localhost"]) {
      const { tab, answers } = await openTab();
      await tab.goto(`http://${host}:${evil.port}/`);
      for (const name of ["127.0.0.1", "localhost"]) {
        const ticket = await newTicket();
        const done = await tab.evaluate(attack, {
          hub: `http://${name}:${testServer.port}`,
          ticket,
        });
        expect([host, name, done]).toEqual([host, name, []]);
        untouched();
      }
      expect([...answers]).toEqual([403]);
      await tab.close();
    }
  });

  test("[HH3] a name that was turned to our address reaches nothing", async () => {
    const { tab, answers } = await openTab();
    const { port } = testServer;
    await tab.goto(`http://evil.test:${port}/`);
    const refused = await tab.evaluate(
      async () => (await (await fetch("/api/hub")).json()) as { code: string },
    );
    expect(refused.code).toBe("wrong-host");
    expect([...answers]).toEqual([421]);
    untouched();
    await tab.close();
  });

  test("[HH4] [HH5] our own page is let in, and its policy lets it go nowhere else", async () => {
    const { tab } = await openTab();
    await tab.goto(`${testServer.url}/`);
    const other = `http://127.0.0.1:${evil.port}/`;
    const ticket = await newTicket();
    const seen = await tab.evaluate(
      async ({ other, ticket }) => {
        const health = await (await fetch("/health")).text();
        const away = await fetch(other, { mode: "no-cors" }).then(
          () => "reached",
          () => "refused",
        );
        const socket = await new Promise<string>((resolve) => {
          const protocols = ["signalbox.stream.v1", `ticket.${ticket}`];
          const ws = new WebSocket(`ws://${location.host}/api/stream`, protocols);
          ws.addEventListener("open", () => resolve("open"));
          ws.addEventListener("error", () => resolve("error"));
        });
        const script = (() => {
          try {
            document.body.innerHTML = "<img src=x onerror=alert(1)>";
            return "set";
          } catch {
            return "refused";
          }
        })();
        return { health, away, socket, script };
      },
      { other, ticket },
    );
    expect(seen).toEqual({ health: "ok", away: "refused", socket: "open", script: "refused" });
    await tab.close();
  });
});
