import * as z from "zod";
import { HubRefusal, type Store } from "@signalbox/hub/extension";
import { ForeignRelay, type ForeignRelayServices } from "./foreign-relay.ts";
import {
  DISCOVERY_PORTS,
  type FoundListener,
  PATIENT_TIMEOUT_MS,
  probePort,
  probePorts,
} from "./probe.ts";

/** A row of the "Connect" dialog. */
type Neighbor = FoundListener & {
  /** The port is that of this hub. */
  readonly self?: boolean;
  /** The hub is a front end of this relay; the state of that connection. */
  readonly attached?: ForeignRelay["state"];
};

interface DiscoveryOptions {
  readonly hub: string;
  /** Undefined: the relay is off, and no lines are accepted. */
  readonly relay: ForeignRelayServices | undefined;
  readonly ports?: readonly number[];
  readonly store: Store;
}

/** The key under which the list of attached relays is stored, across restarts of the hub. */
const SETTING = "discovery.attached";
const storedAttachments = z.array(z.object({ port: z.int(), session: z.string().optional() }));

/**
 * Scans for other programs on this machine, and attaches to foreign relays when a person asks for
 * it.
 */
export class Discovery implements Disposable {
  readonly #options: DiscoveryOptions;
  readonly #attached = new Map<number, ForeignRelay>();
  /** The current session of each attached relay. */
  readonly #sessions = new Map<number, string>();
  #pendingProbe: Promise<FoundListener[]> | undefined;

  constructor(options: DiscoveryOptions) {
    this.#options = options;
  }

  /** Opens discovery with the attachments of the previous process. */
  static async open(options: DiscoveryOptions): Promise<Discovery> {
    const discovery = new Discovery(options);
    const { data = [] } = storedAttachments.safeParse(
      parseJson(await options.store.setting(SETTING)),
    );
    for (const { port, session } of options.relay ? data : []) discovery.#attach(port, session);
    return discovery;
  }

  /** Simultaneous callers share one scan. */
  async listNeighbors(): Promise<Neighbor[]> {
    const isFollowed = (port: number) => this.#attached.get(port)?.state === "connected";
    const ports = (this.#options.ports ?? DISCOVERY_PORTS).filter((port) => !isFollowed(port));
    this.#pendingProbe ??= probePorts(ports).finally(() => (this.#pendingProbe = undefined));
    const found = await this.#pendingProbe;
    const named = found.map((each) => (this.#isSelf(each) ? { ...each, self: true } : each));
    const others = named.filter(({ port }) => !this.#attached.has(port));
    const attached = [...this.#attached.values()].map(({ port, state, agent }): Neighbor => {
      const there = state === "connected" ? undefined : named.find((each) => each.port === port);
      return { ...(there ?? { port, kind: "relay", agent }), attached: state };
    });
    return [...others, ...attached].toSorted((a, b) => a.port - b.port);
  }

  #isSelf(found: FoundListener): boolean {
    return found.kind === "hub" && found.hub === this.#options.hub;
  }

  /** Attaches to a relay. Throws the refusal if there is no foreign relay at the port. */
  async attach(port: number): Promise<void> {
    const { relay: services, ports = DISCOVERY_PORTS } = this.#options;
    if (!services) {
      const detail =
        "The relay is off. Turn it on in Settings, Relay or with `signalbox config relay on`, and restart the hub.";
      throw new HubRefusal(404, "no-relay", detail);
    }
    if (!ports.includes(port)) {
      throw new HubRefusal(
        422,
        "no-such-port",
        `Relays are only searched for on the ports ${ports.join(", ")}.`,
      );
    }
    if (this.#attached.get(port)?.state === "connected") return;
    const found = await probePort(port, PATIENT_TIMEOUT_MS);
    if (found?.kind !== "relay") throw this.#noRelayError(port, found);
    if (this.#attached.has(port)) return;
    this.#attach(port);
    await this.#saveAttachments();
  }

  #noRelayError(port: number, found: FoundListener | undefined): HubRefusal {
    if (found === undefined) {
      const detail = `No relay answers on port ${port}. Nothing was changed. Start the relay first; \`signalbox discover\` shows what was found.`;
      return new HubRefusal(409, "no-relay-there", detail);
    }
    const detail = this.#isSelf(found)
      ? `Port ${port} is this hub itself, and its agents are already on the board. Nothing was changed.`
      : `Port ${port} is another Signalbox hub, not a relay. Nothing was changed. Open its page, http://localhost:${port}/, or connect its agents to this hub with \`signalbox dial\`.`;
    return new HubRefusal(409, "is-hub", detail);
  }

  #attach(port: number, resumes?: string): void {
    const { relay: services } = this.#options;
    if (!services) return;
    if (resumes !== undefined) this.#sessions.set(port, resumes);
    const onSession = (session: string) => {
      this.#sessions.set(port, session);
      void this.#saveAttachments().catch(() => {}); // the next hub begins it anew
    };
    const options = { onSession, ...(resumes !== undefined && { resumes }) };
    this.#attached.set(port, new ForeignRelay(port, services, options));
  }

  /** Detaches from a relay. Throws the refusal if the hub is not attached there. */
  async detach(port: number): Promise<void> {
    if (!this.#attached.has(port)) {
      const detail = `The hub is not attached to port ${port}. Nothing was changed.`;
      throw new HubRefusal(409, "not-attached", detail);
    }
    this.#attached.get(port)?.[Symbol.dispose]();
    this.#attached.delete(port);
    this.#sessions.delete(port);
    await this.#saveAttachments();
  }

  async #saveAttachments(): Promise<void> {
    const attached = [...this.#attached.keys()].map((port) => {
      const session = this.#sessions.get(port);
      return { port, ...(session !== undefined && { session }) };
    });
    const value = JSON.stringify(attached);
    await this.#options.store.commit([{ kind: "setting", key: SETTING, value }]);
  }

  [Symbol.dispose](): void {
    for (const relay of this.#attached.values()) relay.disconnect();
  }
}

function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "[]");
  } catch {
    return [];
  }
}
