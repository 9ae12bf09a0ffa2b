import type { AccessControl } from "./devices/access-control.ts";
import type { HttpExtension } from "./http/extension.ts";
import type { Logger } from "./logging/logger.ts";
import type { Store } from "./store/store.ts";
import type { Engine } from "./engine.ts";

/**
 * A plug-in of the hub, such as the relay, about which the hub itself knows little. It is called with the
 * store before the engine is opened.
 */
export type HubExtension = (
  store: Store,
  settings: ExtensionSettings,
) => Promise<PreparedExtension>;

/** What people have set about extensions. */
export interface ExtensionSettings {
  /** Whether agents may dial in. */
  readonly isRelayOn: boolean;
}

export interface PreparedExtension {
  /** The id of the runner that the extension runs inside the hub. The engine needs it from the start. */
  readonly embeddedRunner?: string;
  /** Called once the engine is open, and before the hub listens. */
  open(services: HubServices): Promise<OpenExtension>;
}

/** The parts of the hub that an extension may use. */
export interface HubServices {
  readonly engine: Engine;
  readonly store: Store;
  readonly access: AccessControl;
  readonly log: Logger;
  /** The hub's data folder. */
  readonly data: string;
}

/** Disposed of when the hub stops, after it has stopped listening. */
export interface OpenExtension extends HttpExtension, AsyncDisposable {}

export { type AccessControl, type Person, type SignedDecision } from "./devices/access-control.ts";
export { parseSecret, matchesHash, hashSecret, newSecret } from "./devices/secrets.ts";
export { type Actor, type Engine, HubRefusal, type RunnerGateway } from "./engine.ts";
export { type RawListener } from "./fan-out/raw-feed.ts";
export { readBearerToken } from "./http/bearer-token.ts";
export { closeSocket, type SocketHandler, type Socket } from "./http/socket-handler.ts";
export { type HttpExtension, type SocketCaller } from "./http/extension.ts";
export { type Logger } from "./logging/logger.ts";
export { createAuditChange, type AuditActor } from "./store/audit-change.ts";
export { readOrAddMachineId } from "./store/shared-setting.ts";
export { type SessionRow, type Store } from "./store/store.ts";

export { type RelaySessions } from "./services/relay-sessions.ts";
export { isAlive } from "./session/session-summary.ts";
