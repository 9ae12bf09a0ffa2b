import { Refusal } from "../engine.ts";
import { ForeignRelay, type ForeignRooms } from "./foreign-relay.ts";
import { type Found, PORTS, probeAll } from "./probe.ts";

/** What stands in the "Connect" dialog. */
export type Neighbour = Found & {
  /** It is this very hub. */
  readonly self?: boolean;
  /** We are a front end of it, and how that goes. */
  readonly attached?: ForeignRelay["state"];
};

export interface DiscoveryOptions {
  readonly hub: string;
  /** Undefined: the relay is off, and nobody's lines are taken in. */
  readonly rooms: ForeignRooms | undefined;
  readonly ports?: readonly number[];
}

/** Looks who else listens on this machine, and attaches to foreign relays on a person's word. */
export class Discovery implements Disposable {
  readonly #options: DiscoveryOptions;
  readonly #attached = new Map<number, ForeignRelay>();
  #looking: Promise<Found[]> | undefined;

  constructor(options: DiscoveryOptions) {
    this.#options = options;
  }

  /** One look at a time, however many ask. */
  async look(): Promise<Neighbour[]> {
    const ports = (this.#options.ports ?? PORTS).filter((port) => !this.#attached.has(port));
    this.#looking ??= probeAll(ports).finally(() => (this.#looking = undefined));
    const found = await this.#looking;
    const attached = [...this.#attached.values()].map(({ port, state }): Neighbour => {
      return { port, kind: "relay", agent: "connected", attached: state };
    });
    const others = found.filter(({ port }) => !this.#attached.has(port));
    const named = others.map((each): Neighbour => {
      return each.kind === "hub" && each.hub === this.#options.hub ? { ...each, self: true } : each;
    });
    return [...named, ...attached].toSorted((a, b) => a.port - b.port);
  }

  attach(port: number): void {
    const { rooms, ports = PORTS } = this.#options;
    if (!rooms) {
      const detail = "The relay is off. Start the hub with --relay to attach to other relays.";
      throw new Refusal(404, "no-relay", detail);
    }
    if (!ports.includes(port)) {
      throw new Refusal(422, "no-such-port", `Relays are looked for on ${ports.join(", ")}.`);
    }
    if (!this.#attached.has(port)) this.#attached.set(port, new ForeignRelay(port, rooms));
  }

  detach(port: number): void {
    this.#attached.get(port)?.[Symbol.dispose]();
    this.#attached.delete(port);
  }

  [Symbol.dispose](): void {
    for (const port of this.#attached.keys()) this.detach(port);
  }
}
