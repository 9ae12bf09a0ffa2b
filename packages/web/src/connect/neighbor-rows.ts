import type { NeighborView } from "@signalbox/api";
import { strings } from "../strings/strings.ts";

const text = strings.connect;

export interface NeighborRow {
  readonly port: number;
  readonly label: string;
  /** The available action, if any. */
  readonly action?: "attach" | "detach" | "open";
}

/** Describes each hub and relay on the hub's machine, and what can be done with it. */
export function describeNeighbors(neighbors: readonly NeighborView[]): readonly NeighborRow[] {
  return neighbors.map(({ port, kind, self, agent, attached }) => {
    if (kind === "hub" && attached !== undefined) {
      return { port, label: text.hubInPlace, action: "detach" };
    }
    if (kind === "hub") {
      if (self === true) return { port, label: text.thisHub };
      return { port, label: text.otherHub, action: "open" };
    }
    if (attached !== undefined) {
      const label = attached === "connected" ? text.attached : text.attachedAway;
      return { port, label, action: "detach" };
    }
    const label = agent === "connected" ? text.withAgent : text.withoutAgent;
    return { port, label, action: "attach" };
  });
}
