import { expect, setDefaultTimeout, test } from "bun:test";
import { Viewer } from "../fan-out/viewer.ts";
import { Rig } from "./rig.ts";

setDefaultTimeout(180_000);

const words = (count: number) => Array.from({ length: count }, (_, nth) => `w${nth + 1}`).join(" ");

test.each(["claude-code", "signalbox-agent"])(
  "[HB50] the hub is lost in mid-stream, with an open permission, and again: %s lives, every line is there once and in order, the text is whole",
  async (agent) => {
    await using rig = await Rig.open();
    const script = [
      "::flood 400 200",
      '::tool Bash {"command":"touch made.txt"}',
      "::flood 400 200",
    ].join("\n");
    const { id } = await rig.create({ agent, prompt: { text: script } });
    const viewer = new Viewer(id).connect(rig.engine);
    const texts = () =>
      viewer.list.flatMap((item) => (item.kind === "text" ? [item.text.trim()] : []));
    const again = async () => {
      viewer.disconnect();
      await rig.loseHub();
      await rig.startHub();
      viewer.connect(rig.engine);
      await rig.until(() => rig.hasRunner);
    };
    await rig.until(() => (texts()[0]?.length ?? 0) > 200);
    const running = rig.agents();
    await again(); // in the middle of a text
    const ask = await rig.ask(id);
    expect(rig.engine.sessions.get(id).state).toBe("running");
    await again(); // with an open permission
    expect(await rig.ask(id)).toEqual(ask);
    await rig.allow(ask);
    await rig.until(() => (texts()[1]?.length ?? 0) > 200);
    await again();
    await rig.turns(id, 1);

    expect(rig.agents()).toEqual(running);
    expect(rig.has("made.txt")).toBe(true);
    expect((await rig.texts(id)).map((text) => text.trim())).toEqual([words(400), words(400)]);
    const lines = await rig.engine.history.listLines(id, { after: 0, limit: 1000 });
    expect(lines.map(({ pos }) => pos)).toEqual(lines.map((_, at) => at + 1));
    const seqs = lines.flatMap(({ seq }) => seq ?? []);
    expect(seqs).toEqual([...new Set(seqs)].toSorted((a, b) => a - b));
    const uuids = lines.flatMap(({ text, from }) => {
      const uuid = from === "agent" ? /"uuid":"([^"]+)"/.exec(text ?? "")?.[1] : undefined;
      return uuid === undefined ? [] : [uuid];
    });
    expect(uuids).toHaveLength(new Set(uuids).size);
    const { rev } = rig.engine.sessions.get(id);
    const fresh = new Viewer(id).connect(rig.engine);
    await rig.until(() => fresh.live && viewer.live && viewer.rev >= rev);
    expect(viewer.list).toEqual(fresh.list);
  },
);
