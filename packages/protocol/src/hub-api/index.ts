export * from "./ask.ts";
export { hasMixedAlphabets, isReservedName, nameSkeleton } from "./device-name.ts";
export * from "./device.ts";
export * from "./http.ts";
export * from "./identity.ts";
export * from "./session.ts";
export { isShownName, shownName, toShownName } from "./shown-name.ts";
export * from "./stream.ts";
export * from "./trust.ts";
