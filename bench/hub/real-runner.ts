import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { startModel } from "@signalbox/model";
import { bundledAgent } from "@signalbox/host/agents";
import { Child, type Cost } from "./child.ts";
import { HubRig } from "./rig.ts";

/** A hub, the real runner and a scripted model: sessions of the real Claude Code. */
export async function openStage(program = bundledAgent()) {
  const rig = await HubRig.open();
  const home = join(rig.place, "home");
  const folder = join(rig.place, "work");
  mkdirSync(home);
  mkdirSync(folder);
  const model = await startModel({ script: "" });
  const invitation = await rig.command<{ code: string }>("POST", "/api/pairings", {
    role: "runner",
  });
  const { key, device, hub } = await rig.pair(invitation.code);
  const args = [rig.url, join(rig.place, "runner"), home];
  const runner = new Child<{ pid: number }, Cost>("runner.ts", args);
  runner.tell(JSON.stringify({ key, hubKey: hub.key, runner: device.id }));
  await runner.begin;
  await rig.command("PUT", "/api/environments", {
    bench: {
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: "dummy-key-for-benchmarks",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
    },
  });
  const agent = { name: "bench", path: program, environment: "bench" };
  await rig.command("PUT", "/api/agents", [agent]);
  type View = { id: string; state: string; summary: { turns: number; status: string } };
  return {
    rig,
    runner,
    async session(text: string): Promise<string> {
      const options = { folder, runner: device.id, agent: "bench", prompt: { text } };
      const { id } = await rig.command<View>("POST", "/api/sessions", options);
      return id;
    },
    async send(session: string, text: string): Promise<void> {
      await rig.command("POST", `/api/sessions/${session}/prompts`, { text });
    },
    async turns(session: string, count: number): Promise<void> {
      for (;;) {
        const { summary } = await rig.get<View>(`/api/sessions/${session}`);
        if (summary.turns >= count && summary.status === "idle") return;
        await Bun.sleep(50);
      }
    },
    async [Symbol.asyncDispose]() {
      runner[Symbol.dispose]();
      await Bun.sleep(500);
      await model.close();
      await rig[Symbol.asyncDispose]();
    },
  };
}
