/** The schemas of the contract, for programs that check what they receive. */
export { uuidText } from "./schemas/values.ts";
export { planMode, personDecision, agentDecision, newAnswer, askView } from "./schemas/ask.ts";
export { deviceRoles, hubIdentity, agentSetting } from "./schemas/device.ts";
export { publicKey, hubDescriptor, identityProof, identityText } from "./schemas/identity.ts";
export { sessionColor, isolationState, newPrompt, newSession } from "./schemas/session.ts";
export { policyName, isolationProfile } from "./schemas/session-options.ts";
export { clientFrame, hubFrame } from "./schemas/stream.ts";
export { sessionDefaults } from "./schemas/http.ts";
export { nameSkeleton } from "./schemas/device-name.ts";
export { importSettings } from "./schemas/import.ts";
export { housekeeping } from "./schemas/housekeeping.ts";
export { projectOptions } from "./schemas/session-options.ts";
export { embeddingOrigins } from "./schemas/device.ts";
