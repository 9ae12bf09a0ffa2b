import { init, inGroups, message, messageEnd, messageStart, delta } from "../../hub/lines.ts";
import { figure, type Figure } from "../../hub/rig.ts";
import { countReceived, type ReceivedBytes } from "../browser-cost.ts";
import { openBothPages } from "../earlier-page.ts";
import { conversation, tokens, working } from "../talk.ts";
import type { WebRig } from "../window.ts";

const MAX_TO_OPEN = 60_000;
const TOKENS = 2000;
const TOKENS_A_SECOND = 200;
const LAST = "That was all of it.";

/** (g, h) What opening a session fetches, and how much of what a streaming session sends is its text. */
export async function traffic(): Promise<Figure[]> {
  await using pages = await openBothPages();
  const opened = { now: await open(pages.now), earlier: await open(pages.earlier) };
  const streamed = {
    now: await stream(pages.now, answer()),
    earlier: await stream(pages.earlier, answer()),
  };
  const mixed = await stream(pages.now, working(TOKENS));
  return [
    figure({
      figure: "g",
      what: "data that opening a session of 2,000 items fetches, as it is sent",
      unit: "bytes",
      ours: sum(opened.now),
      baseline: MAX_TO_OPEN,
      baselineIs: "the most it may be",
      bar: 1,
      better: "lower",
      more: { ...sizes(opened.now), earlier: sizes(opened.earlier) },
    }),
    figure({
      figure: "h",
      what: `text in what the page receives of an answer at ${TOKENS_A_SECOND} tokens a second, its end included`,
      unit: "bytes",
      ours: streamed.now.text,
      baseline: sum(streamed.now),
      baselineIs: "all bytes that the page received",
      bar: 0.7,
      better: "higher",
      more: {
        byKind: byKind(streamed.now),
        earlier: { text: streamed.earlier.text, byKind: byKind(streamed.earlier) },
        withCalls: { text: mixed.text, byKind: byKind(mixed) },
      },
    }),
  ];
}

/** From the overview, by its tile, in a page that holds no copy of it. */
async function open(rig: WebRig): Promise<ReceivedBytes> {
  const { feeder } = rig.hub;
  const session = await rig.hub.session("Opened");
  for (const group of inGroups(conversation(2000), 500)) await feeder.feed(session, group);
  await feeder.stored(session);
  await rig.tab.goto(rig.hub.url);
  await rig.live();
  await rig.tab.locator(`[data-session="${session}"] .tile-link`).waitFor();
  await rig.tab.waitForLoadState("networkidle");
  const { received, stop } = await countReceived(rig.tab, (url) => url.includes("/api/"));
  await rig.tab.locator(`[data-session="${session}"] .tile-link`).click();
  await rig.sees("the end of 2000");
  await rig.tab.waitForLoadState("networkidle");
  await rig.tab.waitForTimeout(1500); // what is fetched late counts, too
  await stop();
  return received;
}

/** One long answer, token by token, and its end. */
function* answer(): Generator<{ tokens: number; lines: string[] }> {
  const id = "msg_answer";
  const text = tokens(TOKENS);
  yield { tokens: 0, lines: messageStart(id) };
  for (const token of text) yield { tokens: 1, lines: [delta(token)] };
  yield { tokens: 0, lines: messageEnd(id, text.join("")) };
}

async function stream(
  rig: WebRig,
  work: Iterable<{ tokens: number; lines: string[] }>,
): Promise<ReceivedBytes & { text: number }> {
  const session = await rig.hub.session("Streamed");
  await rig.hub.feeder.feed(session, [init()]);
  await rig.tab.goto(rig.path(session));
  await rig.live();
  await rig.tab.waitForLoadState("networkidle");
  const { received, stop } = await countReceived(rig.tab);
  let waiting: string[] = [];
  let sent = 0;
  const start = performance.now();
  let text = "";
  for (const { tokens: count, lines } of work) {
    if (count > 0) text += readToken(lines);
    sent += count;
    waiting.push(...lines);
    const due = (sent / TOKENS_A_SECOND) * 1000;
    if (due - 25 < performance.now() - start) continue;
    await rig.hub.feeder.feed(session, waiting);
    waiting = [];
    await Bun.sleep(Math.max(0, due - (performance.now() - start)));
  }
  await rig.hub.feeder.feed(session, [...waiting, message("msg_last", LAST)]);
  await rig.sees(LAST);
  await stop();
  return { ...received, text: Buffer.byteLength(text) };
}

/** The text of the delta that a token is sent with. */
function readToken([line = ""]: readonly string[]): string {
  const { event } = JSON.parse(line) as { event?: { delta?: { text?: string } } };
  return event?.delta?.text ?? "";
}

const sum = ({ http, socket }: ReceivedBytes) => http + socket;
const sizes = ({ http, socket }: ReceivedBytes) => ({ http, socket });

/** Bytes of WebSocket messages by their type, to see what takes the room. */
function byKind({ messages }: ReceivedBytes): Record<string, number> {
  const kinds: Record<string, number> = {};
  for (const message of messages) {
    const kind = message.startsWith('"')
      ? "more"
      : (/"type":"([\w-]+)"/.exec(message)?.[1] ?? "other");
    kinds[kind] = (kinds[kind] ?? 0) + Buffer.byteLength(message);
  }
  return kinds;
}
