import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  errors,
  type Locator,
  type Page,
} from "playwright-core";
import { chromiumFlags, ensureChromium } from "../../../../scripts/ensure-chromium.mjs";
import { openHubStage } from "@signalbox/testing/hub-stage";
import { until } from "@signalbox/testing/until";
import { openPanel } from "./panels.ts";

/**
 * How long a story waits for something that will happen: the machine may be busy. Whoever changes a story may
 * wait less, with SIGNALBOX_TEST_PATIENCE_MS.
 */
export const PATIENCE_MS = Number(process.env["SIGNALBOX_TEST_PATIENCE_MS"] ?? 120_000);
/** How long it waits for what follows from keys that must come quickly after one another. */
const TRY_MS = 3000;

/** A hub with the real agent and a scripted model, and browsers that are paired with it over its page. */
export class SharedStage {
  #hub: Hub | undefined;
  #browser: Browser | undefined;
  #windows: Window[] = [];
  /** What pages told others, in which no secret may be (C7). */
  readonly #told: string[] = [];

  /** `flags`: of the hub's, such as those that let it be reached from other machines. */
  async start(flags: readonly string[] = []): Promise<void> {
    const executablePath = ensureChromium();
    [this.#hub, this.#browser] = await Promise.all([
      openHubStage(undefined, flags),
      chromium.launch({ executablePath, args: chromiumFlags }),
    ]);
  }

  async end(): Promise<void> {
    await this.#browser?.close();
    await this.#hub?.[Symbol.asyncDispose]();
    const secrets = this.#hub?.secrets ?? [];
    const leaks = this.#told.filter((text) => secrets.some((secret) => text.includes(secret)));
    if (leaks.length > 0) throw new Error(`the page gave secrets away: ${leaks.join(", ")}`);
  }

  get hub(): Hub {
    if (!this.#hub) throw new Error("the stage has not been opened");
    return this.#hub;
  }
  get browser(): Browser {
    if (!this.#browser) throw new Error("the stage has not been opened");
    return this.#browser;
  }
  get url(): string {
    return `http://localhost:${this.hub.port}`;
  }

  async open(how?: Opening): Promise<Window> {
    const window = await openWindow(this.hub, this.browser, this.#told, how);
    this.#windows.push(window);
    return window;
  }

  /** What a group of stories leaves behind takes no room from the next: its windows and its agents. */
  async rest(): Promise<void> {
    await Promise.all(this.#windows.splice(0).map(({ context }) => context.close()));
    const { admin } = this.hub;
    const sessions = await admin.sessions();
    await Promise.all(sessions.map(({ id }) => admin.deleteSession(id)));
  }
}
type Hub = Awaited<ReturnType<typeof openHubStage>>;

export interface Opening {
  readonly name?: string;
  readonly role?: "viewer" | "driver" | "approver" | "admin";
  readonly context?: BrowserContextOptions;
  /** Runs in the page before anything of it, as a browser that behaves otherwise. */
  readonly beforeLoad?: () => void;
}

/** A browser of its own: it pairs as a person would, and everything that went wrong in it is kept. */
async function openWindow(hub: Hub, browser: Browser, told: string[], how: Opening = {}) {
  const { name = "A window", role = "admin", context = {} } = how;
  const { url, code } = await hub.admin.createPairing(role);
  hub.secrets.push(code);
  const own = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...context });
  own.setDefaultTimeout(PATIENCE_MS);
  if (how.beforeLoad) await own.addInitScript(how.beforeLoad);
  const page = await own.newPage();
  const troubles: string[] = [];
  page.on("pageerror", (error) => troubles.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") troubles.push(`${message.text()} ${message.location().url}`);
  });
  overhear(own, page, hub.secrets, told);
  await page.goto(url);
  await page.locator("[data-role=device-name]").fill(name);
  await page.locator("[data-role=pair]").click();
  await page.locator("[data-link=live]").waitFor();
  const story = new Story(page, hub.folder);
  return Object.assign(story, {
    context: own,
    /** Errors of the page itself; a network that is away on purpose is none. */
    troubles: () =>
      troubles.filter((text) => !/ERR_(?:CONNECTION|INTERNET|EMPTY)|WebSocket/.test(text)),
  });
}
export type Window = Awaited<ReturnType<typeof openWindow>>;

/** What a page tells others: addresses, referrers, the console. The tickets that it is given are secrets. */
function overhear(own: BrowserContext, page: Page, secrets: string[], told: string[]): void {
  own.on("request", (request) => {
    const { referer = "" } = request.headers();
    told.push(request.url().split("#")[0] ?? "", referer);
  });
  own.on("response", (answer) => {
    if (new URL(answer.url()).pathname !== "/api/tickets") return;
    const made = answer.json() as Promise<{ ticket?: string }>;
    made.then(({ ticket }) => ticket !== undefined && secrets.push(ticket)).catch(() => {}); // refused
  });
  page.on("websocket", (socket) => told.push(socket.url()));
  page.on("console", (message) => told.push(message.text()));
}

/** What a person does with the page, in words. */
export class Story {
  readonly page: Page;
  readonly #folder: string;

  constructor(page: Page, folder: string) {
    this.page = page;
    this.#folder = folder;
  }

  get conversation() {
    return this.page.locator("[data-role=conversation]");
  }
  get ask() {
    return this.page.locator("[data-ask][data-status=open]");
  }
  button(name: string | RegExp) {
    return this.page.getByRole("button", { name });
  }

  /** Opens the draft of a new session and chooses its folder. */
  async draft(folder = this.#folder): Promise<void> {
    await this.page.locator("[data-role=new-session]").click();
    await this.chooseFolder(folder);
  }

  /** Enters the folder of a draft in its popover. */
  async chooseFolder(folder: string): Promise<void> {
    const field = this.page.locator("[data-role=folder]");
    await this.page.locator("[data-role=folder-chip]").click();
    await field.fill(folder);
    await field.press("Enter");
    await field.waitFor({ state: "detached" });
  }

  /** Starts a session from a draft and goes to it. */
  async begin(prompt: string): Promise<string> {
    await this.draft();
    await this.page.locator("[data-role=first-prompt]").fill(prompt);
    const before = this.page.url();
    const isNew = ({ href, pathname }: URL) => href !== before && pathname.startsWith("/s/");
    const start = this.page.locator("[data-role=start]");
    await this.insists(
      () => start.click({ timeout: TRY_MS }).catch(() => {}), // it may be gone: then it has begun
      (timeout) => this.page.waitForURL(isNew, { timeout }),
    );
    return this.page.url();
  }

  async say(text: string, how: "send" | "send-now" = "send"): Promise<void> {
    await this.page.locator("[data-role=composer]").fill(text);
    await this.page.locator(`[data-role=${how}]`).click();
  }

  /** Waits until the agent has said this. */
  async reads(text: string | RegExp): Promise<void> {
    await this.conversation.locator("[data-kind=text]").getByText(text).last().waitFor();
  }

  async allow(role: "allow" | "allow-edited" = "allow"): Promise<void> {
    await this.settled(`[data-role=${role}]`);
    await this.page.locator(`[data-role=${role}]`).click();
  }

  /** Denies the first request that is open inside of this, with the words that stand there. */
  async deny(inside = "body"): Promise<void> {
    const ask = this.page.locator(`${inside} [data-status=open]`).first();
    const deny = `${inside} [data-status=open] [data-role=deny]`;
    await ask.locator("[data-role=deny-open], [data-role=deny]").first().waitFor();
    if ((await ask.locator("[data-role=deny]").count()) === 0) await this.openDeny(inside);
    await this.settled(deny);
    await this.page.locator(deny).first().click();
  }

  /** Opens the field in which one says why not, of the first request inside of this. */
  async openDeny(inside = "body"): Promise<void> {
    const ask = this.page.locator(`${inside} [data-status=open]`).first();
    await ask.locator("[data-role=deny-open]").click();
    await ask.locator("[data-role=deny-words]:focus").waitFor();
  }

  /** Chooses an entry of a menu that shows the current choice: model, effort or permission. */
  async choose(menu: "model" | "effort" | "permission", label: string | RegExp): Promise<void> {
    await this.page.locator(`[data-role=${menu}]`).click();
    await this.page.getByRole("menuitemradio", { name: label }).click();
    await this.page.getByRole("menu").waitFor({ state: "detached" });
  }

  /** Waits until the permission of the session is this one. */
  async permits(policy: string): Promise<void> {
    await this.page.locator(`[data-role=permission][data-value="${policy}"]`).waitFor();
  }

  openPanel(name: string): Promise<Locator> {
    return openPanel(this.page, name);
  }

  /** Scrolls to the first of these and waits until it hears and does not move any more: a press then counts. */
  async settled(selector: string): Promise<void> {
    await this.page.locator(`${selector}[aria-disabled=false]`).first().hover();
    await this.page.evaluate(
      async ([wanted, patience]) => {
        let before = "";
        let since = performance.now();
        const end = since + patience;
        while (performance.now() - since < 250) {
          if (performance.now() > end) throw new Error(`${wanted} never came to rest: ${before}`);
          await new Promise(requestAnimationFrame);
          const button = document.querySelector(wanted);
          const { x = 0, y = 0, width = 0 } = button?.getBoundingClientRect() ?? {};
          const now = [x, y, width, button?.getAttribute("aria-disabled")].join(" ");
          if (now !== before || !now.endsWith("false")) since = performance.now();
          before = now;
        }
      },
      [selector, PATIENCE_MS] as const,
    );
  }

  /** Ticks a box of an open ask, or unticks it. A click while something moves is refused: then it is repeated. */
  async tick(box: Locator, wanted: boolean): Promise<void> {
    await until(async () => {
      if ((await box.isChecked()) === wanted) return true;
      await box.hover(); // scrolls there
      await this.settled("[data-ask][data-status=open] fieldset");
      await box.click();
      return false;
    });
  }

  /** Waits until the browser's own copy of what was seen has this in it. */
  async keeps(text: string): Promise<void> {
    const has = async (wanted: string) => {
      const opened = indexedDB.open("signalbox");
      await new Promise((resolve) => opened.addEventListener("success", resolve));
      const all = opened.result.transaction("copies").objectStore("copies").getAll();
      await new Promise((resolve) => all.addEventListener("success", resolve));
      opened.result.close();
      return JSON.stringify(all.result).includes(wanted);
    };
    await until(() => this.page.evaluate(has, text));
  }

  /** The word of the session's lamp. */
  async shows(word: string, timeout = PATIENCE_MS): Promise<void> {
    await this.page.locator(`.page-head [data-lamp="${word}"]`).waitFor({ timeout });
  }

  /** Waits until the page's title begins with this. */
  async isTitled(beginning: string): Promise<void> {
    await until(
      `the title begins with "${beginning}"`,
      async () => (await this.page.title()).startsWith(beginning),
      { seen: () => this.page.title() },
    );
  }

  /** Waits until none of these is there any more. */
  async vanish(locator: Locator): Promise<void> {
    const count = () => locator.count();
    await until(`none is left of ${locator.toString()}`, async () => (await count()) === 0, {
      seen: count,
    });
  }

  /** Waits until something begins inside what is seen of the conversation. */
  async showsInSight(selector: string): Promise<void> {
    await this.page.waitForFunction((wanted) => {
      const list = document.querySelector("[data-role=conversation]")?.getBoundingClientRect();
      const item = document.querySelector(wanted)?.getBoundingClientRect();
      return list && item && item.top >= list.top && item.top < list.bottom;
    }, selector);
  }

  /** Tries again, as a person does, when a busy machine took the keys for too slow. */
  async insists(
    press: () => Promise<void>,
    follows: (timeout: number) => Promise<void>,
  ): Promise<void> {
    for (let left = PATIENCE_MS / TRY_MS; left > 0; left--) {
      await press();
      try {
        return await follows(TRY_MS);
      } catch (error) {
        if (!(error instanceof errors.TimeoutError) || left === 1) throw error;
      }
    }
  }
}
