// Lets the page open while its hub is away: its own files, as they were last fetched, and nothing else.
// What the hub tells goes past it: no address of the API is touched.
const SHELF = "signalbox-page";
const START = "/";
/** A hub that has not given its page within this is taken for away, where a copy can be shown instead. */
const PAGE_MS = 3000;
/** A new page has more files: they are waited for longer, and one that hangs does not hold the page for good. */
const FILES_MS = 20_000;

self.addEventListener("install", (event) => {
  event.waitUntil(keepStart(new Request(START), {}).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(self.clients.claim());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== self.location.origin || request.method !== "GET") return;
  if (pathname.startsWith("/api/") || pathname === "/health") return;
  const place = !/\.[^/]*$/.test(pathname); // a file that is opened by itself is not the page
  if (request.mode === "navigate" && place) event.respondWith(startPage(request));
  else if (pathname.startsWith("/assets/")) event.respondWith(asset(request));
});

// A window that is there is shown what waits; otherwise one is opened.
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const goTo = event.notification.data?.path ?? START;
  event.waitUntil(showPlace(goTo));
});

async function showPlace(goTo) {
  const [page] = await self.clients.matchAll({ type: "window" });
  if (!page) {
    await self.clients.openWindow(goTo);
    return;
  }
  await page.focus();
  page.postMessage({ goTo }, []);
}

/** Fresh from the hub; the last one where there is none, or where it does not come. */
async function startPage(request) {
  const kept = await (await caches.open(SHELF)).match(START);
  if (!kept) return keepStart(request, {});
  try {
    return await keepStart(request, { pageMs: PAGE_MS, filesMs: FILES_MS });
  } catch {
    return kept;
  }
}

/** Every place is the same page: one copy is kept, with the files that it names. What comes late changes nothing. */
async function keepStart(request, { pageMs, filesMs }) {
  const fresh = await fetch(request, within(pageMs));
  if (!fresh.ok) return fresh;
  const shelf = await caches.open(SHELF);
  const before = await (await shelf.match(START))?.text();
  const html = await fresh.clone().text();
  if (html === before) return fresh;
  const files = new Set(html.match(/\/assets\/[\w.-]+/g) ?? []);
  const inTime = within(filesMs);
  await shelf.addAll([...files].map((file) => new Request(file, inTime)));
  await shelf.put(START, fresh.clone());
  for (const kept of await shelf.keys()) {
    const { pathname } = new URL(kept.url);
    if (pathname !== START && !files.has(pathname)) await shelf.delete(kept);
  }
  return fresh;
}

function within(ms) {
  return ms === undefined ? {} : { signal: AbortSignal.timeout(ms) };
}

/** Names of assets change with their content: what is there is right. */
async function asset(request) {
  const shelf = await caches.open(SHELF);
  const kept = await shelf.match(request);
  if (kept) return kept;
  const fresh = await fetch(request);
  if (fresh.ok) await shelf.put(request, fresh.clone());
  return fresh;
}
