import { join } from "node:path";
import { until } from "./until.ts";
import { findParent } from "./process-facts.ts";
import type { Stage, Started } from "./cli-stage.ts";

/** A hub as a person starts it: the process that holds its port, and the hub as its child. */
export async function serve(stage: Stage, args: string[] = [], started: Started = {}) {
  const data = join(stage.folder, "../data");
  const holder = stage.start(["serve", "--port", "0", "--data", data, ...args], started);
  const lines = { out: "", err: "" };
  const collect = async (from: ReadableStream<Uint8Array>, to: "out" | "err") => {
    const decoder = new TextDecoder();
    for await (const piece of from) lines[to] += decoder.decode(piece, { stream: true });
  };
  const read = Promise.all([collect(holder.stdout, "out"), collect(holder.stderr, "err")]);
  const starts = () => lines.out.match(/http:\/\/localhost:\d+/g)?.length ?? 0;
  await until("the hub is there", () => starts() > 0 || holder.exitCode !== null, {
    seen: () => lines,
  });
  const link = new URL(/http:\S+/.exec(lines.out)?.[0] ?? "");
  return {
    data,
    holder,
    lines,
    link,
    port: Number(link.port),
    /** How often a hub has said where it is. */
    starts,
    hub: () =>
      until(
        "the hub's process is there",
        () => stage.processes().find((pid) => findParent(pid) === holder.pid) ?? 0,
      ),
    async end(): Promise<number> {
      holder.kill("SIGTERM");
      const code = await holder.exited;
      await read;
      await stage.signalbox(["stop", "--all", "--data", data]);
      return code;
    },
  };
}
