import {
  createAuditChange,
  type HubExtension,
  type HubServices,
  type OpenExtension,
} from "@signalbox/hub/extension";
import { findRelayPath } from "./admission/paths.ts";
import { Discovery } from "./discovery/discovery.ts";
import { Relay, readRelayRunnerId, type RelaySettings } from "./relay.ts";

/** The longest line of an agent, with its line feed. */
const MAX_FRAME_BYTES = 65 * 1024 * 1024;

export interface RelayExtensionOptions {
  /** Lets agents dial in. Without it, the setting that people have made decides. */
  readonly dialIn?: RelaySettings;
  /**
   * Ports on which other hubs and relays of this machine are searched for. Default: the usual ten.
   */
  readonly discoveryPorts?: readonly number[];
}

/**
 * The hub's extension: discovery always, and the relay for agents that dial in if it is turned on by
 * `dialIn` or in the hub's settings.
 */
export function relayExtension(options: RelayExtensionOptions = {}): HubExtension {
  return async (store, { isRelayOn }) => {
    const isOn = options.dialIn !== undefined || isRelayOn;
    const runner = isOn ? await readRelayRunnerId(store) : undefined;
    return {
      ...(runner !== undefined && { embeddedRunner: runner }),
      open: (services) => openExtension(options, runner, services),
    };
  };
}

async function openExtension(
  { dialIn, discoveryPorts: ports }: RelayExtensionOptions,
  runner: string | undefined,
  services: HubServices,
): Promise<OpenExtension> {
  const { access, store } = services;
  await using steps = new AsyncDisposableStack();
  const relay =
    runner === undefined
      ? undefined
      : steps.use(await Relay.open({ ...dialIn, id: runner, ...services }));
  const { hub } = access.identity;
  const foreign = relay?.foreignServices;
  const discovery = steps.use(
    await Discovery.open({ hub, relay: foreign, store, ...(ports && { ports }) }),
  );
  const opened = steps.move();
  return {
    routes: {
      ...(relay && {
        "POST /api/relay/agents": async (_, { body, caller, origin }) => {
          const made = await relay.invite(body, caller.actor);
          return { ...made, url: `${origin.replace(/^http/, "ws")}/ws/cli/${made.session}` };
        },
      }),
      "GET /api/relay": ({ engine }) => ({
        on: engine.relaySetting.isOn(),
        running: relay !== undefined,
        startOption: dialIn !== undefined,
      }),
      "GET /api/discovery": () => discovery.listNeighbors(),
      "POST /api/discovery/attach": async (_, { body, caller }) => {
        await discovery.attach(body.port);
        await store.commit([createAuditChange("relay-attached", caller.actor, null, body)]);
      },
      "POST /api/discovery/detach": async (_, { body, caller }) => {
        await discovery.detach(body.port);
        await store.commit([createAuditChange("relay-detached", caller.actor, null, body)]);
      },
    },
    ...(relay && {
      origins: relay.origins,
      maxFrameBytes: MAX_FRAME_BYTES,
      acceptSocket: (path, caller) => {
        const target = findRelayPath(path);
        return target && relay.accept(target, caller);
      },
    }),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
