/** `@signalbox/hub/engine`: sessions, runners and asks without HTTP in front of them. */
export {
  type Actor,
  type Engine,
  Refusal,
  RunnerRefusal,
  type RunnerGateway,
  type SendFrame,
  type SessionSummary,
  type StoredTogether,
  type Subscriber,
  type UnsentBytes,
} from "../engine.ts";
export { type EngineOptions, type OpenEngine, openEngine } from "./open-engine.ts";
