export * from "./engine.ts";
export * from "./log/store.ts";
export * from "./log/open-store.ts";
export * from "./data/folder.ts";
export * from "./data/lock.ts";
export * from "./data/private-file.ts";
export { type EngineOptions, type OpenEngine, openEngine } from "./session/open-engine.ts";
