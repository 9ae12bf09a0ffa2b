// The pictures of the README: bun scripts/screenshots/take.ts [folder]. A hub, the real Claude Code, the
// scripted model and the built page; nothing of this machine's account takes part.
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { openHubStage } from "@signalbox/testing/hub-stage";
import { chromiumFlags, ensureChromium } from "../ensure-chromium.mjs";
import { type Sessions, startSessions } from "./sessions.ts";

const folder = process.argv[2] ?? join(import.meta.dirname, "../../docs/screenshots");
const desk = { viewport: { width: 1440, height: 900 } };
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

interface Scene {
  readonly name: string;
  readonly on: typeof desk;
  /** Brings the page where the picture is taken. */
  readonly go: (page: Page, url: string, sessions: Sessions) => Promise<void>;
}

const at = (sessions: Sessions, title: string) => `/s/${sessions.get(title) ?? ""}`;

/** Shows a panel beside the conversation, which is closed at first. */
async function openPanel(page: Page, name: string): Promise<void> {
  const tab = page.getByRole("tab", { name });
  if (!(await tab.isVisible())) await page.locator("[data-role=panel-toggle]").click();
  await tab.click();
}

const scenes: readonly Scene[] = [
  {
    name: "session",
    on: desk,
    go: async (page, url, sessions) => {
      await page.goto(url + at(sessions, "Speed up the importer"));
      await page.getByText("0.30 s").waitFor();
      await page.locator("[data-role=conversation] .code-keyword").first().waitFor();
      await openPanel(page, "Tasks");
    },
  },
  {
    name: "board",
    on: desk,
    go: async (page, url) => {
      await page.goto(url);
      await page.locator("[data-session]").nth(5).waitFor();
      await page.locator("[data-role=allow][aria-disabled=false]").first().waitFor();
    },
  },
  {
    name: "inbox",
    on: desk,
    go: async (page, url) => {
      await page.goto(`${url}/inbox`);
      await page.locator("[data-role=allow][aria-disabled=false]").nth(1).waitFor();
    },
  },
  {
    name: "ask",
    on: desk,
    go: async (page, url, sessions) => {
      await page.goto(url + at(sessions, "Mend the flaky reader test"));
      await page.locator("[data-role=allow][aria-disabled=false]").waitFor();
      await page.locator("[data-role=conversation] .code-keyword").first().waitFor();
      await openPanel(page, "Tasks");
    },
  },
  {
    name: "diff",
    on: desk,
    go: async (page, url, sessions) => {
      await page.goto(url + at(sessions, "Count bytes, not characters"));
      await page.getByText("told without encoding").waitFor();
      await page.locator("[data-role=work]").first().click();
      await page.locator("[data-role=conversation] .code-keyword").first().waitFor();
      await openPanel(page, "Changes");
    },
  },
  {
    name: "phone",
    on: phone,
    go: async (page, url) => {
      await page.goto(`${url}/inbox`);
      await page.locator("[data-role=allow][aria-disabled=false]").first().waitFor();
    },
  },
];

/** Its name is seen in the pictures, so it is the same every time. */
function workFolder() {
  const folder = join(tmpdir(), "signalbox-pictures");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  return {
    folder,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** A page that is paired with the hub. */
async function openPage(browser: Browser, device: Scene["on"]): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: "reduce", ...device });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  await page.goto((await hub.admin.createPairing("admin")).url);
  await page.locator("[data-role=pair]").click();
  await page.locator("[data-link=live]").waitFor();
  return page;
}

mkdirSync(folder, { recursive: true });
using work = workFolder();
await using hub = await openHubStage(
  readFileSync(join(import.meta.dirname, "model.script"), "utf8"),
);
const browser = await chromium.launch({ executablePath: ensureChromium(), args: chromiumFlags });
try {
  const pages = new Map<Scene["on"], Page>();
  for (const device of [desk, phone]) pages.set(device, await openPage(browser, device));
  const sessions = await startSessions(hub, work.folder);
  for (const { name, on, go } of scenes) {
    const page = pages.get(on);
    if (!page) throw new Error(`nobody looks at ${name}`);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await go(page, hub.url, sessions);
      await page.waitForLoadState("networkidle");
      await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`) });
    }
  }
} finally {
  await browser.close();
}
console.log(`the pictures are in ${folder}`);
