export * from "./engine.ts";
export * from "./log/store.ts";
