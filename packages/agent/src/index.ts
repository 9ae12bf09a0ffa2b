export type * from "./agent.ts";
export {
  type InputFormat,
  type Options,
  type OutputFormat,
  type PermissionMode,
  permissionModes,
} from "./command-line/options.ts";
