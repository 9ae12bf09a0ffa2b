import { formatJsonLine } from "../terminal/json-line.ts";
import { setTimeout as sleep } from "node:timers/promises";
import type { NeighbourView } from "@signalbox/client";
import { probePorts } from "@signalbox/relay";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { dataHelp, dataOption, connectLocalHub } from "../hub/local-hub.ts";
import type { Command } from "../command.ts";
import { parseInteger, parseOptions } from "../options.ts";

const INTERVAL_MS = 5000;

export const discoverCommand: Command = {
  help: `Usage: signalbox discover [options]

Looks at ports 8765 to 8774 of this machine, quietly: hubs like this one, and relays of other
programs that agents were started with --sdk-url for.

  --watch           look again every 5 s
  --json            one JSON object a line
  --attach PORT     let the hub show what passes a foreign relay; its agents become sessions.
                    The hub must have been started with --relay
  --detach PORT     leave it again
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
      console.log(`The hub shows what passes the relay on port ${attach}.`);
    }
    if (detach !== undefined) {
      await hub.detachRelay(detach);
      console.log(`The hub shows nothing of port ${detach} any more; its sessions stay.`);
    }
    return exitCode.success;
  }
  for (;;) {
    printNeighbours(await discover(values.data), values.json === true);
    if (values.watch !== true) return exitCode.success;
    await sleep(INTERVAL_MS);
  }
}

/** The hub knows to whom it is attached; without one it is looked from here. */
async function discover(data: string | undefined): Promise<readonly NeighbourView[]> {
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

function printNeighbours(found: readonly NeighbourView[], json: boolean): void {
  if (json) for (const each of found) console.log(formatJsonLine(each));
  else if (found.length === 0) console.log("Nobody listens on ports 8765 to 8774.");
  else for (const each of found) console.log(describeNeighbour(each));
}

function describeNeighbour({ port, kind, hub, agent, attached }: NeighbourView): string {
  if (attached !== undefined && attached !== "connected") {
    return `${port}  the hub is attached here and tries again: the relay is away`;
  }
  if (kind === "hub") return `${port}  a Signalbox hub (${hub?.slice(0, 8)})`;
  const whose = agent === "connected" ? "an agent is connected" : "no agent is connected";
  const shown = attached === undefined ? "" : "; the hub shows what passes it";
  return `${port}  a relay of another program; ${whose}${shown}`;
}
