export { type FoundListener, DISCOVERY_PORTS, probePorts } from "./discovery/probe.ts";
export { relayExtension, type RelayExtensionOptions } from "./extension.ts";
export { type RelaySettings } from "./relay.ts";
