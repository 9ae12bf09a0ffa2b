import { printJsonLines } from "../terminal/json-line.ts";
import { setTimeout as sleep } from "node:timers/promises";
import type { NeighborView } from "@signalbox/client";
import { probePorts } from "@signalbox/relay";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { dataHelp, dataOption, connectLocalHub } from "../hub/local-hub.ts";
import type { CliCommand } from "../command.ts";
import { parseInteger, parseOptions } from "../options.ts";

const INTERVAL_MS = 5000;

export const discoverCommand: CliCommand = {
  help: `Usage: signalbox discover [options]

Looks for Signalbox hubs, and for relays of other programs that accept agents started with
--sdk-url, on ports 8765 to 8774 of this machine.

Options:
  --watch            Look again every 5 seconds
  --json             Print one JSON object per line
  --attach PORT      Show the agents of the relay on PORT as sessions. The relay of the hub
                     must be on
  --detach PORT      Stop showing the relay on PORT
${dataHelp}`,
  run,
};

async function run(args: string[]): Promise<ExitCode> {
  const { values } = parseOptions({
    args,
    options: {
      ...dataOption,
      watch: { type: "boolean" },
      json: { type: "boolean" },
      attach: { type: "string" },
      detach: { type: "string" },
    },
  });
  const attach = parsePort("--attach", values.attach);
  const detach = parsePort("--detach", values.detach);
  if (attach !== undefined || detach !== undefined) {
    using hub = await connectLocalHub(values.data);
    if (attach !== undefined) {
      await hub.attachRelay(attach);
      console.log(`Attached to the relay on port ${attach}. Its agents appear as sessions.`);
    }
    if (detach !== undefined) {
      await hub.detachRelay(detach);
      console.log(`Detached from the relay on port ${detach}. Its sessions stay.`);
    }
    return exitCode.success;
  }
  for (;;) {
    printNeighbors(await discover(values.data), values.json === true);
    if (values.watch !== true) return exitCode.success;
    await sleep(INTERVAL_MS);
  }
}

/** Asks the hub, which knows the relays that it is attached to; without a hub, looks from here. */
async function discover(data: string | undefined): Promise<readonly NeighborView[]> {
  try {
    using hub = await connectLocalHub(data);
    return await hub.discover();
  } catch {
    return probePorts();
  }
}

function parsePort(flag: string, value: string | undefined): number | undefined {
  return value === undefined ? undefined : parseInteger(flag, value, 65_535);
}

function printNeighbors(found: readonly NeighborView[], json: boolean): void {
  if (json) printJsonLines(found);
  else if (found.length === 0) console.log("No hub or relay found on ports 8765 to 8774.");
  else for (const each of found) console.log(describeNeighbor(each));
}

function describeNeighbor({ port, kind, hub, agent, attached }: NeighborView): string {
  if (attached !== undefined && attached !== "connected") {
    return `${port}  relay unreachable; the hub is reconnecting`;
  }
  if (kind === "hub") return `${port}  Signalbox hub (${hub?.slice(0, 8)})`;
  const state = agent === "connected" ? "agent connected" : "no agent connected";
  const shown = attached === undefined ? "" : "; attached to the hub";
  return `${port}  relay of another program; ${state}${shown}`;
}
