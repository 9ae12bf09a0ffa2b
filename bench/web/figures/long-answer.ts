import { delta, init, messageEnd, messageStart, result } from "../../hub/lines.ts";
import { figure, type Figure } from "../../hub/rig.ts";
import { browserCpu } from "../browser-cost.ts";
import { tokens } from "../talk.ts";
import { WebRig } from "../window.ts";

const SECONDS = 20;
const TICK_MS = 25;
/** Stands in the text again and again, in one piece. */
const SENTENCE = "Each line is counted once";
const WORDS = { short: 2000, long: 20_000 };

/** (f) One long answer beside a short one over the same time; and what a reader in its middle keeps. */
export async function longAnswer(): Promise<Figure[]> {
  await using rig = await WebRig.open();
  const cost = { short: await follow(rig, WORDS.short), long: await follow(rig, WORDS.long) };
  const kept = await readInTheMiddle(rig, WORDS.long);
  return [
    figure({
      figure: "f",
      what: `CPU of the browser while an answer of ${WORDS.long} words is streamed in ${SECONDS} s`,
      unit: "CPU seconds",
      ours: cost.long,
      baseline: cost.short,
      baselineIs: `one of ${WORDS.short} words in the same time`,
      bar: 4,
      better: "lower",
    }),
    figure({
      figure: "f",
      what: "sentences of the long answer in the page when it has ended, under a reader who has scrolled up",
      unit: "sentences",
      ours: kept.sentences,
      baseline: kept.sent,
      baselineIs: "those that were sent",
      bar: 1,
      better: "higher",
      more: { charactersBefore: kept.before, charactersAfter: kept.after },
    }),
    figure({
      figure: "f",
      what: "how far a reader who had scrolled up was moved by the end of the answer",
      unit: "pixels",
      ours: kept.moved,
      baseline: 1,
      baselineIs: "a pixel",
      bar: 1,
      better: "lower",
    }),
  ];
}

/** Markdown of so many words, in the pieces that a model would send. */
function pieces(words: number): string[] {
  let counted = 0;
  const all = tokens(words * 3);
  // A word is counted where it ends: signs and numbers are none.
  const end = all.findIndex((_, at) => {
    const isEnd = /[a-z]$/i.test(all[at] ?? "") && !/^[a-z]/i.test(all[at + 1] ?? "");
    counted += (all[at]?.match(/[a-z](?=[^a-z])/gi)?.length ?? 0) + (isEnd ? 1 : 0);
    return counted >= words;
  });
  return end === -1 ? all : all.slice(0, end + 1);
}

async function follow(rig: WebRig, words: number): Promise<number> {
  const { session, text } = await begin(rig, words);
  const before = await browserCpu(rig.tab);
  await stream(rig, session, text);
  await end(rig, session, text);
  await rig.sees(`the end of ${words}`);
  return (await browserCpu(rig.tab)) - before;
}

/** Streams the answer to a reader who has scrolled up; then the answer ends. */
async function readInTheMiddle(rig: WebRig, words: number) {
  const { session, text } = await begin(rig, words);
  const half = text.slice(0, text.length >> 1);
  await stream(rig, session, half, SECONDS / 4);
  const list = rig.tab.locator("[data-role=conversation]");
  await list.focus();
  for (let press = 0; press < 3; press++) await list.press("PageUp"); // only a person leaves the end
  await stream(rig, session, text.slice(half.length), SECONDS / 4);
  const inPage = text.join("").replaceAll(/[^a-z]/g, "").length * 0.9;
  await rig.tab.waitForFunction(
    (least) =>
      (document.querySelector("[data-role=conversation]")?.textContent?.length ?? 0) > least,
    inPage,
    { polling: 100 },
  );
  const look = () =>
    list.evaluate(
      (element, sentence) => ({
        length: element.textContent?.length ?? 0,
        sentences: (element.textContent?.split(sentence).length ?? 1) - 1,
        top: element.scrollTop,
      }),
      SENTENCE,
    );
  const before = await look();
  await end(rig, session, text);
  await rig.tab.locator("[data-role=interrupt]").waitFor({ state: "detached" });
  await rig.tab.waitForTimeout(1000); // what settles late would still move the reader
  const after = await look();
  return {
    before: before.length,
    after: after.length,
    sentences: after.sentences,
    sent: text.join("").split(SENTENCE).length - 1,
    moved: Math.abs(after.top - before.top),
  };
}

async function begin(rig: WebRig, words: number) {
  const session = await rig.hub.session(`${words} words`);
  await rig.tab.goto(rig.path(session));
  await rig.live();
  await rig.hub.feeder.feed(session, [init(), ...messageStart("msg_long")]);
  return { session, text: pieces(words) };
}

async function end({ hub }: WebRig, session: string, text: readonly string[]): Promise<void> {
  const words = text.length > 8000 ? WORDS.long : WORDS.short;
  await hub.feeder.feed(session, messageEnd("msg_long", text.join("")));
  const last = messageEnd("msg_last", `the end of ${words}`);
  await hub.feeder.feed(session, [...last.slice(0, 1), result()]);
  await hub.feeder.stored(session);
}

/** At an even pace over the given time. */
async function stream(
  { hub }: WebRig,
  session: string,
  text: readonly string[],
  seconds = SECONDS,
): Promise<void> {
  const ticks = Math.ceil((seconds * 1000) / TICK_MS);
  const start = performance.now();
  for (let tick = 0; tick < ticks; tick++) {
    const from = Math.floor((text.length * tick) / ticks);
    const to = Math.floor((text.length * (tick + 1)) / ticks);
    if (to > from) await hub.feeder.feed(session, text.slice(from, to).map(delta));
    await Bun.sleep(Math.max(0, (tick + 1) * TICK_MS - (performance.now() - start)));
  }
}
