export { createAskId, hashAsk } from "./ask-identity.ts";
export {
  type DecidableAsk,
  getSuggestion,
  InvalidDecision,
  toAgentDecision,
} from "./person-decision.ts";
