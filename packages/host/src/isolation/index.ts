export { Isolation, type IsolationOptions, type IsolationPlan } from "./isolation.ts";
export { type IsolationState } from "../launch/isolation-state.ts";
export { findBubblewrap, INSTALL_BUBBLEWRAP, systemFolders } from "../sandbox/find-bubblewrap.ts";
export { openPrivateFolder } from "../sandbox/private-folder.ts";
export { type FolderList, resolveFolders } from "../sandbox/paths.ts";
