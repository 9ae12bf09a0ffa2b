import { cpuSeconds, descendants } from "../processes-of.ts";
import { openStage } from "../real-runner.ts";
import { figure, type Figure, type HubRig } from "../rig.ts";
import { Viewer } from "../viewer.ts";

const WORDS = 20_000;
const SESSIONS = 10;
const MB = 1024 * 1024;

/** (g) One long turn of the real agent: CPU of runner and hub beside the agent's own. */
export async function longTurn(): Promise<Figure[]> {
  await using stage = await openStage();
  const { rig, runner } = stage;
  const session = await stage.session("::flood 5000"); // all three have worked before they are measured
  await stage.turns(session, 1);
  const viewer = new Viewer(rig.url, rig.token, session);
  let grew = 0;
  let onTurnEnd = () => {};
  viewer.onFrame = (frame) => {
    if (frame.type === "text") grew++;
    if (frame.type === "items" && frame.items.some(({ id }) => id.startsWith("turn-"))) onTurnEnd();
  };
  await viewer.connect();
  await viewer.live();
  const agents = descendants(runner.pid);
  const agentCpu = () => agents.reduce((sum, pid) => sum + cpuSeconds(pid), 0);
  const ourCpu = () => cpuSeconds(rig.hub.pid) + cpuSeconds(runner.pid);
  const before = { agent: agentCpu(), ours: ourCpu() };
  const ended = new Promise<void>((resolve) => (onTurnEnd = resolve));
  await stage.send(session, `::flood ${WORDS}`);
  await ended;
  const ours = ourCpu() - before.ours;
  const agent = agentCpu() - before.agent;
  const said = await longestText(rig, session);
  return [
    figure({
      figure: "g",
      what: `a turn of ${WORDS} words: CPU-seconds of runner and hub`,
      unit: "CPU-seconds",
      ours,
      baseline: agent,
      baselineIs: "the agent's own",
      bar: 1 / 3,
      better: "lower",
      also: said >= WORDS && grew > 0,
      more: { wordsInTheItem: said, timesItGrew: grew },
    }),
  ];
}

async function longestText(rig: HubRig, session: string): Promise<number> {
  type Text = string | { $blob: string };
  const page = await rig.get<{ items: { kind: string; text?: Text }[] }>(
    `/api/sessions/${session}/items?limit=50`,
  );
  let most = 0;
  for (const { kind, text } of page.items) {
    if (kind !== "text" || text === undefined) continue;
    const whole = typeof text === "string" ? text : await rig.text(`/api/blobs/${text.$blob}`);
    most = Math.max(most, whole.trim().split(/\s+/).length);
  }
  return most;
}

/** (h) Memory of runner and hub for each session that lives. */
export async function liveSessions(): Promise<Figure[]> {
  await using stage = await openStage();
  const { rig, runner } = stage;
  const measure = async () => {
    await Bun.sleep(1500);
    const [hub, run] = [await rig.hub.ask("gc"), await runner.ask("gc")];
    return (hub.rss + run.rss) / MB;
  };
  const warm = await stage.session("::say ready"); // the first one pays for what all share
  await stage.turns(warm, 1);
  const before = await measure();
  for (let nth = 0; nth < SESSIONS; nth++) {
    const session = await stage.session("::say ready");
    await stage.turns(session, 1);
  }
  const more = ((await measure()) - before) / SESSIONS;
  return [
    figure({
      figure: "h",
      what: `RSS of runner and hub for each of ${SESSIONS} live sessions`,
      unit: "MB per session",
      ours: more,
      baseline: before,
      baselineIs: "RSS of both with one session",
      ratio: more,
      bar: 5,
      better: "lower",
    }),
  ];
}
