/** The command line of an agent: how it is read, and what it prints. */
export { parseArguments, type ParsedArguments } from "./command-line/parse-arguments.ts";
export { parseOptions } from "./command-line/parse-options.ts";
export { versionText } from "./command-line/help.ts";
export { UsageError } from "./command-line/usage-error.ts";
export { permissionModes, type InputFormat, type OutputFormat } from "./command-line/options.ts";
export { toSingleLine } from "./terminal/screen-text.ts";
export type { StartDialog } from "./terminal/start-dialog.ts";
export type { ConfirmStart } from "./run-agent.ts";
