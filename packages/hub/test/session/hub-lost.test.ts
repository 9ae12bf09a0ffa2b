import { expect, setDefaultTimeout, test } from "bun:test";
import { Viewer } from "../fan-out/viewer.ts";
import { EngineStage } from "@signalbox/testing/engine-stage";

setDefaultTimeout(180_000);

const words = (count: number) => Array.from({ length: count }, (_, nth) => `w${nth + 1}`).join(" ");

test.each(["claude-code", "signalbox-agent"])(
  "[HB50] when the hub ends in mid-stream, with an open permission, and again, %s keeps running, every line is stored once and in order, and the text is complete",
  async (agent) => {
    await using stage = await EngineStage.open();
    const script = [
      "::flood 400 200",
      '::tool Bash {"command":"touch made.txt"}',
      "::flood 400 200",
    ].join("\n");
    const { id } = await stage.create({ agent, prompt: { text: script } });
    const viewer = new Viewer(id).connect(stage.engine);
    const texts = () =>
      viewer.list.flatMap((item) => (item.kind === "text" ? [item.text.trim()] : []));
    const again = async () => {
      viewer.disconnect();
      await stage.loseHub();
      await stage.startHub();
      viewer.connect(stage.engine);
      await stage.until(() => stage.hasRunner);
    };
    await stage.until(() => (texts()[0]?.length ?? 0) > 200);
    const running = stage.agents();
    await again(); // in the middle of a text
    const ask = await stage.ask(id);
    expect(stage.engine.sessions.get(id).state).toBe("running");
    await again(); // with an open permission
    expect(await stage.ask(id)).toEqual(ask);
    await stage.allow(ask);
    await stage.until(() => (texts()[1]?.length ?? 0) > 200);
    await again();
    await stage.turns(id, 1);

    expect(stage.agents()).toEqual(running);
    expect(stage.has("made.txt")).toBe(true);
    expect((await stage.texts(id)).map((text) => text.trim())).toEqual([words(400), words(400)]);
    const lines = await stage.engine.history.listLines(id, { after: 0, limit: 1000 });
    expect(lines.map(({ pos }) => pos)).toEqual(lines.map((_, at) => at + 1));
    const seqs = lines.flatMap(({ seq }) => seq ?? []);
    expect(seqs).toEqual([...new Set(seqs)].toSorted((a, b) => a - b));
    const uuids = lines.flatMap(({ text, from }) => {
      const uuid = from === "agent" ? /"uuid":"([^"]+)"/.exec(text ?? "")?.[1] : undefined;
      return uuid === undefined ? [] : [uuid];
    });
    expect(uuids).toHaveLength(new Set(uuids).size);
    const { rev } = stage.engine.sessions.get(id);
    const fresh = new Viewer(id).connect(stage.engine);
    await stage.until(() => fresh.live && viewer.live && viewer.rev >= rev);
    expect(viewer.list).toEqual(fresh.list);
  },
);
