/** What a program needs to embed a hub. The subpaths export the rest. */
export {
  type HubExtension,
  type HubServices,
  type OpenExtension,
  type PreparedExtension,
} from "./extension.ts";
export { type HubOptions, type RunningHub, startHub } from "./hub.ts";
export { DEFAULT_PORT, type ListenOptions } from "./http/listen-plan.ts";
export { readTracingOptions, type TracingOptions } from "./tracing/tracing.ts";
export { type Logger } from "./logging/logger.ts";
