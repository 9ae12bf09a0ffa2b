export { Dial, type DialEnd, type DialNews, type DialOptions } from "./dial/dial.ts";
export { keepAsText } from "./dial/kept-lines.ts";
export { deliverLeftBehind } from "./dial/left-behind.ts";
export { type DialledAgent, startDialledAgent } from "./dial/dialled-agent.ts";
export { askHash, askId } from "./asks/ask-identity.ts";
export { decisionFor, suggestionAt, WrongDecision } from "./asks/person-decision.ts";
export {
  type DeviceSigningKey,
  deviceSigningKey,
  isSigned,
  newSigningKey,
  readDeviceSigningKey,
  readSigningKey,
  type SigningKey,
} from "./link/keys.ts";
export { linkAuthorization } from "./link/connection.ts";
export { findOwnHub, type ProvenHub } from "./link/own-hub.ts";
export {
  type KeptRunner,
  keptRunner,
  type KeptRunnerToken,
  keptRunnerToken,
} from "./link/kept-runner.ts";
export { ownRunnerOrder } from "./link/own-order.ts";
export { Ledger, type RunLog } from "./link/ledger.ts";
export { type Recovered, recoveredLines } from "./link/recover.ts";
export { type Limits } from "./link/unacknowledged.ts";
export { badPackage, packageSpec } from "./supervise/agent-package.ts";
export type { ScannedFolder } from "./supervise/folder-orders.ts";
export { TrustStore } from "./trust/trust-store.ts";
export { Supervisor } from "./supervise/supervisor.ts";
export { FOLDER_NOT_ALLOWED, isAllowed, notAllowedSentence } from "./supervise/allowed-folders.ts";
export { type FolderContents } from "./supervise/folders.ts";
export { type Runner, type RunnerOptions, startRunner, stopOnSignals } from "./runner.ts";
export {
  type Finding,
  type FindingKind,
  type FolderScan,
  untrustedFindings,
} from "./trust/finding.ts";
export { restrictLaunch } from "./trust/restrict-launch.ts";
export { RunTrust, type RunTrustFacts } from "./trust/run-trust.ts";
export { scanFolder, type ScanOptions } from "./trust/scan-folder.ts";
