export { deadlineWhileAwake, delayWhileAwake, onWake } from "./awake.ts";
export { isOnBattery } from "./battery.ts";
export { isExecutable } from "./is-executable.ts";
export { isInside, openInside, type FolderInside } from "./open-inside.ts";
export { readRegularFile } from "./read-regular-file.ts";
export { isProcessAlive, readStartTime } from "./process-stat.ts";
export { requireBun } from "./require-bun.ts";
export { runtimeCommand } from "./runtime-command.ts";
