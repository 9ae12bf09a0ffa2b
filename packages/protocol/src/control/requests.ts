import * as z from "zod";
import { count, flag, open, text } from "../messages/fields.ts";

/**
 * The requests of the control plane, by subtype: the fields of the request, and the fields of the
 * answer that we read. The name of each table tells which side asks. Other subtypes can be sent by
 * name and are not checked.
 */
export const hostRequests = {
  initialize: {
    answer: open({
      commands: z.array(open({ name: text, description: text.optional() })).optional(),
      models: z.array(open({ value: text })).optional(),
      agents: z.array(open({ name: text })).optional(),
      account: open({}).nullish(),
      output_style: text.optional(),
    }),
  },
  interrupt: { answer: open({ still_queued: z.array(z.unknown()).optional() }) },
  set_permission_mode: { answer: open({ mode: text.optional() }) },
  set_model: { answer: open({}) },
  set_max_thinking_tokens: { answer: open({}) },
  get_context_usage: { answer: open({ totalTokens: count.optional() }) },
  mcp_status: { answer: open({ mcpServers: z.array(open({ name: text, status: text })) }) },
  mcp_set_servers: { answer: open({}) },
  mcp_toggle: { answer: open({}) },
  mcp_reconnect: { answer: open({}) },
  stop_task: { answer: open({}) },
  rewind_files: {
    answer: open({
      canRewind: flag,
      error: text.optional(),
      filesChanged: z.array(text).optional(),
      insertions: count.optional(),
      deletions: count.optional(),
    }),
  },
};

/** The agent asks for a permission. `blocked_paths` is an older spelling. */
const canUseTool = open({
  subtype: z.literal("can_use_tool"),
  tool_name: text,
  input: z.record(text, z.unknown()),
  tool_use_id: text.optional(),
  agent_id: text.optional(),
  display_name: text.optional(),
  title: text.optional(),
  description: text.optional(),
  permission_suggestions: z.array(open({ type: text })).nullish(),
  blocked_path: text.nullish(),
  blocked_paths: text.nullish(),
  decision_reason: text.nullish(),
  decision_reason_type: text.nullish(),
  requires_user_interaction: flag.optional(),
});

export const agentRequests = {
  can_use_tool: canUseTool,
  hook_callback: open({
    subtype: z.literal("hook_callback"),
    callback_id: text,
    input: open({ hook_event_name: text.optional(), tool_name: text.optional() }),
    tool_use_id: text.nullish(),
  }),
  mcp_message: open({
    subtype: z.literal("mcp_message"),
    server_name: text,
    message: open({ method: text.optional() }),
  }),
  elicitation: open({
    subtype: z.literal("elicitation"),
    mcp_server_name: text,
    message: text,
    requested_schema: open({}).nullish(),
    url: text.nullish(),
  }),
  request_user_dialog: open({
    subtype: z.literal("request_user_dialog"),
    dialog_kind: text,
    payload: open({}).nullish(),
    tool_use_id: text.nullish(),
  }),
};

export type HostRequestSubtype = keyof typeof hostRequests;
export type HostAnswer<S extends HostRequestSubtype> = z.infer<(typeof hostRequests)[S]["answer"]>;
export type AgentRequestSubtype = keyof typeof agentRequests;
export type AgentRequest<S extends AgentRequestSubtype = AgentRequestSubtype> = z.infer<
  (typeof agentRequests)[S]
>;
