import { findBubblewrap } from "@signalbox/host/isolation";
import type { Check } from "./check.ts";

const what = "isolation";

/** Whether agents of this machine are kept away from Signalbox's own data and processes. */
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
    "Until then an agent can read what Signalbox keeps and signal its processes, as any program of yours can.";
  return { what, state: "warning", detail, remedy, facts: { why } };
}
