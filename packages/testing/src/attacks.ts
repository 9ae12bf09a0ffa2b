import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findBubblewrap } from "@signalbox/host/isolation";

/** Undefined: bubblewrap works here. Otherwise why it does not, for the titles of skipped tests. */
export const bubblewrapMissing = (await findBubblewrap()).why;

export const attackScript = join(import.meta.dir, "programs/attack.sh");

/** All that succeeds where nothing is isolated and the agent is root. */
export const everyAttack = [
  "list the data folder",
  "read the descriptor",
  "read the database",
  "read the runner's files",
  "write to the data folder",
  "signal a process",
  "read a process's memory map",
  "open a process's memory",
  "read through a process's root",
];

/** A data folder as a hub and its runner have it. */
export function openDataFolder(parent = realpathSync(tmpdir())) {
  const place = mkdtempSync(join(parent, "signalbox-hidden-"));
  const data = join(place, "data");
  mkdirSync(join(data, "runner", "agents", "a"), { recursive: true });
  writeFileSync(join(data, "hub.json"), "secret");
  writeFileSync(join(data, "signalbox.sqlite"), "secret");
  writeFileSync(join(data, "runner", "runner.lock"), "secret");
  writeFileSync(join(data, "runner", "agents", "a", "program"), "an installed agent");
  return {
    data,
    agents: join(data, "runner", "agents"),
    [Symbol.dispose]: () => rmSync(place, { recursive: true, force: true }),
  };
}
