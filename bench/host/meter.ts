import { join } from "node:path";

export const emitter = join(import.meta.dir, "emit.mjs");

/** Counts events and sums their text between `system/init` and `result`: start-up is not counted. */
export function meter() {
  let events = 0;
  let characters = 0;
  let begun: NodeJS.CpuUsage | undefined;
  let cpu: NodeJS.CpuUsage | undefined;
  return {
    get done() {
      return cpu !== undefined;
    },
    see(message: { type: string; subtype?: unknown; event?: unknown }): void {
      if (message.type === "stream_event") {
        const { delta } = message.event as { delta: { text: string } };
        events++;
        characters += delta.text.length;
      } else if (message.type === "system" && message.subtype === "init") {
        begun = process.cpuUsage();
      } else if (message.type === "result") {
        cpu = process.cpuUsage(begun);
      }
    },
    print(): void {
      const cpuSeconds = ((cpu?.user ?? 0) + (cpu?.system ?? 0)) / 1e6;
      console.log(JSON.stringify({ events, characters, cpuSeconds }));
    },
  };
}
