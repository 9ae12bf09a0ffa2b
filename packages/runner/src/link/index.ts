export { createLinkAuthorization } from "./hub-connection.ts";
export { LineBuffer, type RunLog } from "./line-buffer.ts";
export { readUndeliveredLines, type UndeliveredSession } from "./read-undelivered.ts";
export {
  type LegacyRunnerCredential,
  legacyRunnerCredential,
  type RunnerCredential,
  runnerCredential,
} from "./runner-credential.ts";
export { RUNNER_START_FILE, runnerStartMessage } from "./start-message.ts";
