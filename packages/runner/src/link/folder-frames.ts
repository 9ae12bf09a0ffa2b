import type { FrameToRunnerOfType } from "@signalbox/api/link";

/** The frames of the link by which the hub watches folders. */
export type FolderFrameToRunner = FrameToRunnerOfType<"folder-watch" | "folder-leave">;
