import type { NeighbourView } from "@signalbox/api";

export interface NeighborRow {
  readonly port: number;
  readonly label: string;
  /** The available action, if any. */
  readonly action?: "attach" | "detach" | "open";
}

/** Describes each hub and relay on the hub's machine, and what can be done with it. */
export function describeNeighbors(neighbours: readonly NeighbourView[]): readonly NeighborRow[] {
  return neighbours.map(({ port, kind, self, agent, attached }) => {
    if (kind === "hub" && attached !== undefined) {
      const label = "a Signalbox hub, where a relay was; the hub waits for that to come back";
      return { port, label, action: "detach" };
    }
    if (kind === "hub") {
      if (self === true) return { port, label: "this hub" };
      return { port, label: "another Signalbox hub", action: "open" };
    }
    if (attached !== undefined) {
      const state = attached === "connected" ? "shown here" : "away; the hub keeps trying";
      return { port, label: `a relay of another program: ${state}`, action: "detach" };
    }
    const whose = agent === "connected" ? "an agent is connected" : "no agent is connected";
    return { port, label: `a relay of another program; ${whose}`, action: "attach" };
  });
}
