/** `@signalbox/hub/data`: the data folder and the private files in it. */
export { FolderRefusedError, prepareFolder } from "./folder.ts";
export { type FolderLock, FolderLockedError, lockFolder } from "./folder-lock.ts";
export { createPrivateFile, readPrivateFile, replacePrivateFile } from "./private-file.ts";
