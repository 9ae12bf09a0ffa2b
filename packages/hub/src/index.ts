export * from "./engine.ts";
export type * from "./log/store.ts";
