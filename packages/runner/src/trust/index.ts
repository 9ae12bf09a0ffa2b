export {
  type Finding,
  type FindingKind,
  type FolderScan,
  getUntrustedFindings,
} from "./finding.ts";
export { RunTrust, type RunTrustFacts } from "./run-trust.ts";
export { scanFolder, type ScanOptions } from "./scan-folder.ts";
export { TrustStore } from "./trust-store.ts";
