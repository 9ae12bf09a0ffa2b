export { agentPackagePattern, describeInvalidPackage } from "./agent-package.ts";
export {
  describeFolderNotAllowed,
  FOLDER_NOT_ALLOWED,
  isFolderAllowed,
} from "./allowed-folders.ts";
export type { FolderTrustScan } from "./folder-orders.ts";
export { Supervisor } from "./supervisor.ts";
