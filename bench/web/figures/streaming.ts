import { init, inGroups } from "../../hub/lines.ts";
import { figure, type Figure } from "../../hub/rig.ts";
import { conversation, working } from "../talk.ts";
import { WebRig } from "../window.ts";

const SECONDS = 20;
const TOKENS_A_SECOND = 200;
const TICK_MS = 25;

/** (b) While tokens stream beside tool calls: is the page free for its person, and does it stand still? */
export async function streaming(): Promise<Figure[]> {
  await using rig = await WebRig.open();
  const { feeder } = rig.hub;
  const session = await rig.hub.session("Streaming");
  for (const group of inGroups(conversation(200), 50)) await feeder.feed(session, group);
  await feeder.stored(session);
  await rig.show(session, "the end of 200");
  await feeder.feed(session, [init()]);
  await rig.tab.waitForLoadState("networkidle");
  await watchTasks(rig);
  const took = await stream(rig, session, SECONDS * TOKENS_A_SECOND);
  await rig.sees(`part-${(SECONDS * TOKENS_A_SECOND) / 400 - 1}`);
  const seen = await rig.tab.evaluate(() => Reflect.get(globalThis, "seen") as Seen);
  const what = `${TOKENS_A_SECOND} tokens a second for ${SECONDS} s beside ten tool calls`;
  return [
    figure({
      figure: "b",
      what: `main thread in tasks over 50 ms, ${what}`,
      unit: "milliseconds",
      ours: seen.long,
      baseline: took,
      baselineIs: "the time it took",
      bar: 0.02,
      better: "lower",
      more: { tasks: seen.tasks, longest: Math.round(seen.longest) },
    }),
    figure({
      figure: "b",
      what: `layout shift, ${what}`,
      unit: "layout shift score",
      ours: seen.shift,
      baseline: 1,
      baselineIs: "all that is in sight moves by its height",
      bar: 0.02,
      better: "lower",
      more: { shifts: seen.shifts, moved: seen.moved },
    }),
  ];
}

interface Seen {
  long: number;
  longest: number;
  tasks: number;
  shift: number;
  shifts: number;
  /** What moved most, to find it by. */
  moved: string[];
}

function watchTasks({ tab }: WebRig): Promise<void> {
  return tab.evaluate(() => {
    const seen: Seen = { long: 0, longest: 0, tasks: 0, shift: 0, shifts: 0, moved: [] };
    Object.assign(globalThis, { seen });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) {
        seen.long += duration;
        seen.longest = Math.max(seen.longest, duration);
        seen.tasks++;
      }
    }).observe({ type: "longtask" });
    interface Shift extends PerformanceEntry {
      readonly value: number;
      readonly hadRecentInput: boolean;
      readonly sources: readonly ShiftSource[];
    }
    interface ShiftSource {
      readonly node?: Node;
      readonly previousRect: DOMRectReadOnly;
      readonly currentRect: DOMRectReadOnly;
    }
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries() as Shift[]) {
        if (hadRecentInput) continue;
        seen.shift += value;
        seen.shifts++;
        const [source] = sources;
        if (!source || value < 0.0005) continue;
        const { node, previousRect: from, currentRect: to } = source;
        const name =
          node instanceof Element
            ? `${node.tagName}.${node.className}`
            : `text "${node?.textContent?.slice(0, 40) ?? ""}"`;
        const way = `${from.left},${from.top}+${from.height} to ${to.left},${to.top}+${to.height}`;
        seen.moved.push(
          `${value.toFixed(4)} ${Math.round(performance.now())} ${sources.length} ${name} ${way}`,
        );
      }
    }).observe({ type: "layout-shift" });
  });
}

/** At its pace; gives how long it took. */
async function stream({ hub }: WebRig, session: string, count: number): Promise<number> {
  const start = performance.now();
  let sent = 0;
  let waiting: string[] = [];
  for (const { tokens, lines } of working(count)) {
    sent += tokens;
    waiting.push(...lines);
    const due = (sent / TOKENS_A_SECOND) * 1000;
    if (due - TICK_MS < performance.now() - start) continue;
    await hub.feeder.feed(session, waiting);
    waiting = [];
    await Bun.sleep(Math.max(0, due - (performance.now() - start)));
  }
  await hub.feeder.feed(session, waiting);
  return performance.now() - start;
}
