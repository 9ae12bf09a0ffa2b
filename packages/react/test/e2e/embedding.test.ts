import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { joinContext } from "@signalbox/protocol/wire";
import { type HubStage, openHubStage } from "@signalbox/testing/hub-stage";
import { until } from "@signalbox/testing/until";
import { type Browser, chromium, type Page } from "playwright-core";
import { packPackages } from "../../../../scripts/release/pack.ts";
import { listPublishedPackages } from "../../../../scripts/release/packages.ts";
import { run } from "../../../../scripts/release/run.ts";
import { chromiumFlags, ensureChromium } from "../../../../scripts/ensure-chromium.mjs";

setDefaultTimeout(300_000);

const root = join(import.meta.dirname, "../../../..");
const place = mkdtempSync(join(tmpdir(), "signalbox-embedding-"));

let hub: HubStage;
let browser: Browser;
let site: ReturnType<typeof Bun.serve>;

function build(...args: string[]): void {
  const vite = join(root, "node_modules/.bin/vite");
  const env = { ...process.env, NODE_ENV: "production" };
  const built = Bun.spawnSync([vite, "build", ...args, "--logLevel", "error"], { cwd: root, env });
  if (built.exitCode !== 0) throw new Error(built.stderr.toString());
}

beforeAll(async () => {
  build("packages/react");
  build(
    "examples/embedding",
    "--config",
    "packages/react/test/e2e/example.vite.config.ts",
    "--outDir",
    place,
  );
  site = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async ({ url }) => {
      const { pathname } = new URL(url);
      const file = Bun.file(join(place, pathname === "/" ? "index.html" : pathname));
      return (await file.exists()) ? new Response(file) : new Response(null, { status: 204 });
    },
  });
  hub = await openHubStage();
  browser = await chromium.launch({ executablePath: ensureChromium(), args: chromiumFlags });
});
afterAll(async () => {
  await browser.close();
  await hub[Symbol.asyncDispose]();
  await site.stop(true);
  rmSync(place, { recursive: true, force: true });
});

/** The example's page, as a person opens it for the first time. */
async function openPage(session: string): Promise<{ page: Page; troubles: string[] }> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  page.setDefaultTimeout(60_000);
  const troubles: string[] = [];
  page.on("pageerror", (error) => troubles.push(error.message));
  page.on("console", (message) => message.type() === "error" && troubles.push(message.text()));
  const hubAddress = `http://localhost:${hub.port}`;
  await page.goto(`http://localhost:${site.port}/?hub=${hubAddress}&session=${session}`);
  return { page, troubles };
}

async function pair(page: Page, role: "driver" | "approver"): Promise<void> {
  const { code } = await hub.admin.createPairing(role);
  hub.secrets.push(code);
  await page.locator("#code").fill(code);
  await page.getByRole("button", { name: "Pair this page" }).click();
}

const composer = (page: Page) => page.locator("[data-role=composer]");

test("[RC1] [HH91] the example's page attaches what is selected, and the real agent receives it as text before the prompt", async () => {
  const { id } = await hub.admin.createSession({ folder: hub.folder, title: "Slides" });
  const unlisted = await openPage(id);
  await pair(unlisted.page, "driver");
  await unlisted.page.getByRole("alert").getByText("does not answer").waitFor();
  await unlisted.page.close();

  await hub.admin.setEmbeddingOrigins([`http://localhost:${site.port}`]);
  const { page, troubles } = await openPage(id);
  await pair(page, "approver");
  await page.getByRole("alert").getByText("viewer or a driver").waitFor();
  troubles.length = 0; // the browser notes the refusal
  await pair(page, "driver");
  await composer(page).waitFor();
  await page.getByRole("button", { name: "What comes next" }).click();
  await page.locator("[data-role=draft-context]").getByText("Slide 3").waitFor();
  const text = "Shorten it.\n::say Shortened.";
  await composer(page).fill(text);
  await page.locator("[data-role=send]").click();
  await page.locator("[data-kind=text]").getByText("Shortened.").waitFor();
  const selection = { slide: 3, element: "h2", text: "What comes next" };
  const context = { title: "Slide 3", data: { view: "slides", selection } };
  const received = JSON.stringify(joinContext(context, text)).slice(1, -1);
  expect(JSON.stringify(hub.model.requests)).toContain(received);
  await page.getByRole("button", { name: "Context: Slide 3" }).click();
  await page.locator("[data-role=context]").getByText('"slide": 3').waitFor();

  // Without the chip, and with a command, nothing goes along.
  await page.getByRole("button", { name: "Remove the context Slide 3" }).click();
  await composer(page).fill("Again.\n::say Alone.");
  await page.locator("[data-role=send]").click();
  await page.locator("[data-kind=text]").getByText("Alone.").waitFor();
  const { items } = await hub.admin.items(id);
  const contexts = items.flatMap((item) => (item.kind === "prompt" ? [item.context?.title] : []));
  expect(contexts).toEqual(["Slide 3", undefined]);
  expect(troubles).toEqual([]);
  await page.close();
});

test("[RC2] a driver's page shows a request and cannot answer it, and the page around keeps its own look and address", async () => {
  const prompt = { text: '::tool Bash {"command":"touch made.txt"}\n::say Done.' };
  const { id } = await hub.admin.createSession({ folder: hub.folder, prompt });
  await hub.admin.setEmbeddingOrigins([`http://localhost:${site.port}`]);
  const { page, troubles } = await openPage(id);
  await pair(page, "driver");
  const ask = page.locator("[data-ask][data-status=open]");
  await ask.waitFor();
  expect(await ask.getByRole("button", { name: /allow/i }).count()).toBe(0);
  const look = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => {
        const { fontFamily, marginTop } = getComputedStyle(element);
        return { fontFamily, margin: parseFloat(marginTop) };
      });
  expect((await look("h2")).fontFamily).toContain("Georgia");
  expect((await look("h2")).margin).toBeGreaterThan(0); // no reset reaches it
  expect((await look("[data-role=composer]")).fontFamily).toContain("Geist");
  const [open] = await until("the ask", async () => {
    const asks = await hub.admin.asks();
    return asks.length > 0 ? asks : undefined;
  });
  if (open) await hub.admin.answer(open.id, { hash: open.hash, decision: { behavior: "allow" } });
  await page.locator("[data-kind=text]").getByText("Done.").waitFor();
  const address = page.url();
  await page.locator(".item-row", { hasText: "Done." }).last().hover();
  expect(page.url()).toBe(address);
  expect(troubles).toEqual([]);
  await page.close();
});

test("[RC3] the styles stay inside of the components, and types and code are what the package says", () => {
  const read = (file: string) => readFileSync(join(root, "packages/react/dist", file), "utf8");
  const styles = read("styles.css");
  expect(styles).not.toMatch(/(?:^|[},])(?:html|body|:root)\s*[{,]/);
  expect(styles).toContain(".signalbox");
  const parts = readdirSync(join(root, "packages/react/dist/parts"));
  const scripts = ["index.js", ...parts.map((part) => `parts/${part}`)];
  const code = scripts.filter((file) => file.endsWith(".js")).map(read);
  for (const name of ["react", "@signalbox/client"])
    expect(code.some((text) => new RegExp(`from\\s*["']${name}["']`).test(text))).toBe(true);
  const declared = [...read("index.d.ts").matchAll(/export declare function (\w+)/g)];
  const exported = /export\s*\{([^}]*)\}/.exec(read("index.js"))?.[1] ?? "";
  const names = exported.split(",").map((each) => each.split(" as ").at(-1)?.trim() ?? "");
  expect(names.toSorted()).toEqual(declared.map(([, name = ""]) => name).toSorted());
});

test("[RC3] the packed package passes publint, and its types and code resolve alike", async () => {
  const packages = listPublishedPackages().filter(
    ({ manifest }) => manifest.name === "@signalbox/react",
  );
  const out = mkdtempSync(join(tmpdir(), "signalbox-pack-"));
  const [tarball] = await packPackages(packages, { out });
  const path = tarball?.path ?? "";
  expect(tarball?.files).toEqual(
    expect.arrayContaining(["LICENSE", "README.md", "dist/index.d.ts", "dist/styles.css"]),
  );
  await run("publint", [path, "--strict"]);
  const styles = ["--exclude-entrypoints", "./styles.css"];
  await run("attw", [path, "--profile", "esm-only", ...styles]);
  rmSync(out, { recursive: true, force: true });
});
