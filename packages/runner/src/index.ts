export { Dial, type DialEnd, type DialNews, type DialOptions } from "./dial/dial.ts";
export { saveAsText } from "./dial/save-as-text.ts";
export { deliverBufferedLines } from "./dial/buffered-lines.ts";
export { type DialedAgent, startDialedAgent } from "./dial/dialed-agent.ts";
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
  type SavedRunner,
  savedRunner,
  type SavedRunnerToken,
  savedRunnerToken,
} from "./link/saved-runner.ts";
export { ownRunnerOrder } from "./link/own-order.ts";
export { Ledger, type RunLog } from "./link/ledger.ts";
export { type Recovered, recoveredLines } from "./link/recover.ts";
export { type BufferLimits } from "./link/unacknowledged.ts";
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
