/** The control requests of both sides, with the schemas of what they ask and answer. */
export {
  agentRequests,
  type AgentRequestSubtype,
  type AgentRequest,
  hostRequests,
  type HostAnswer,
  type HostRequestSubtype,
} from "./control/requests.ts";
