import * as z from "zod";
import { Refusal } from "../engine.ts";
import { ForeignRelay, type ForeignRooms } from "./foreign-relay.ts";
import type { Store } from "../log/store.ts";
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
  readonly store: Store;
}

/** Where it is kept to which relays we are attached, over all lives of the hub. */
const SETTING = "discovery.attached";
const kept = z.array(z.object({ port: z.int(), session: z.string().optional() }));

/** Looks who else listens on this machine, and attaches to foreign relays on a person's word. */
export class Discovery implements Disposable {
  readonly #options: DiscoveryOptions;
  readonly #attached = new Map<number, ForeignRelay>();
  /** The current session of each relay that we are attached to. */
  readonly #sessions = new Map<number, string>();
  #looking: Promise<Found[]> | undefined;

  constructor(options: DiscoveryOptions) {
    this.#options = options;
  }

  /** Opens it, attached as the last hub was. */
  static async open(options: DiscoveryOptions): Promise<Discovery> {
    const discovery = new Discovery(options);
    const { data = [] } = kept.safeParse(jsonOf(await options.store.setting(SETTING)));
    for (const { port, session } of options.rooms ? data : []) discovery.#attach(port, session);
    return discovery;
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

  async attach(port: number): Promise<void> {
    const { rooms, ports = PORTS } = this.#options;
    if (!rooms) {
      const detail = "The relay is off. Start the hub with --relay to attach to other relays.";
      throw new Refusal(404, "no-relay", detail);
    }
    if (!ports.includes(port)) {
      throw new Refusal(422, "no-such-port", `Relays are looked for on ${ports.join(", ")}.`);
    }
    if (this.#attached.has(port)) return;
    this.#attach(port);
    await this.#keep();
  }

  #attach(port: number, resumes?: string): void {
    const { rooms } = this.#options;
    if (!rooms) return;
    if (resumes !== undefined) this.#sessions.set(port, resumes);
    const onSession = (session: string) => {
      this.#sessions.set(port, session);
      void this.#keep().catch(() => {}); // the next hub begins it anew
    };
    const options = { onSession, ...(resumes !== undefined && { resumes }) };
    this.#attached.set(port, new ForeignRelay(port, rooms, options));
  }

  async detach(port: number): Promise<void> {
    this.#attached.get(port)?.[Symbol.dispose]();
    this.#attached.delete(port);
    this.#sessions.delete(port);
    await this.#keep();
  }

  async #keep(): Promise<void> {
    const attached = [...this.#attached.keys()].map((port) => {
      const session = this.#sessions.get(port);
      return { port, ...(session !== undefined && { session }) };
    });
    const value = JSON.stringify(attached);
    await this.#options.store.commit([{ kind: "setting", key: SETTING, value }]);
  }

  [Symbol.dispose](): void {
    for (const relay of this.#attached.values()) relay.leave();
  }
}

function jsonOf(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "[]");
  } catch {
    return [];
  }
}
