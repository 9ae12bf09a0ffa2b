// One measured run of our host: prints what it cost to take every event of the emitting program.
import { Host, stdioDriver } from "@signalbox/host";
import { emitter, meter } from "./meter.ts";

await using host = await Host.start(stdioDriver(), {
  folder: import.meta.dir,
  agentPath: emitter,
  inheritFrom: { PATH: process.env["PATH"] },
  environment: { EMIT_EVENTS: process.env["EMIT_EVENTS"] ?? "" },
});
const measured = meter();
await host.prompt({ text: "go" });
for await (const batch of host.lines) {
  for (const line of batch) {
    if (line.kind === "known") measured.see(line.message);
  }
  if (measured.done) break;
}
measured.print();
