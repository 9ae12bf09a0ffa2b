export { ModelError } from "./errors.ts";
export { demoScript, exampleNames, exampleScript } from "./examples.ts";
export { type Model, type ModelOptions, startModel } from "./http/server.ts";
export type { RecordedRequest } from "./http/recent-requests.ts";
export { parsePrompt, parseScript } from "./script/parse.ts";
export type {
  ApiError,
  ScriptedFailure,
  Scene,
  Script,
  ScriptedMessage,
  ScriptStep,
  ScriptedUsage,
} from "./script/types.ts";
