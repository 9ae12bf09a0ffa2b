/** What a program needs that embeds a hub; the subpaths have what such a program may need besides. */
export {
  type HubExtension,
  type HubServices,
  type OpenExtension,
  type PreparedExtension,
} from "./extension.ts";
export { type HubOptions, type RunningHub, startHub } from "./hub.ts";
export { DEFAULT_PORT, type ListenOptions } from "./http/listen-plan.ts";
export { type Logger } from "./logging/logger.ts";
