import { findBubblewrap } from "@signalbox/host/isolation";
import type { Check } from "./check.ts";

const what = "isolation";

/** Checks whether agents on this machine are isolated from Signalbox's data and processes. */
export async function checkIsolation(): Promise<Check> {
  if (process.platform === "darwin") {
    return {
      what,
      state: "ok",
      detail: "agents run under sandbox-exec",
      facts: { by: "sandbox-exec" },
    };
  }
  const { path, why } = await findBubblewrap();
  if (path !== undefined) {
    const detail = `agents run inside bubblewrap (${path})`;
    return { what, state: "ok", detail, facts: { by: "bubblewrap", path } };
  }
  const detail = `agents are not isolated: ${why}`;
  const remedy =
    "Without isolation an agent can read the data of Signalbox and signal its processes, like any program that you run.";
  return { what, state: "warning", detail, remedy, facts: { why } };
}
