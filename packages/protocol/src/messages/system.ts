import * as z from "zod";
import { common, count, open, text } from "./fields.ts";

const task = { ...common, task_id: text, run_id: text.optional(), tool_use_id: text.optional() };
const hook = { ...common, hook_id: text.optional(), hook_name: text, hook_event: text };
const retry = { attempt: count.optional(), max_retries: count.optional() };
const refusal = { ...common, original_model: text, content: text.optional() };

/** The messages of type `system`, by `subtype`. */
export const system = {
  init: open({
    ...common,
    session_id: text,
    cwd: text.optional(),
    model: text.optional(),
    tools: z.array(text).optional(),
    mcp_servers: z.array(open({ name: text, status: text })).optional(),
    slash_commands: z.array(text).optional(),
    permissionMode: text.optional(),
    permission_mode: text.optional(),
    claude_code_version: text.optional(),
    apiKeySource: text.optional(),
  }),
  status: open({
    ...common,
    status: text.nullish(),
    permissionMode: text.optional(),
    compact_result: text.optional(),
    compact_error: text.optional(),
  }),
  compact_boundary: open({
    ...common,
    compact_metadata: open({ trigger: text.optional(), pre_tokens: count.optional() }).optional(),
  }),
  api_retry: open({
    ...common,
    ...retry,
    retry_delay_ms: count.optional(),
    error_status: count.nullish(),
  }),
  control_request_progress: open({ ...common, ...retry, request_id: text, status: text }),
  model_refusal_fallback: open({ ...refusal, fallback_model: text }),
  model_refusal_no_fallback: open(refusal),
  local_command_output: open({ ...common, content: text }),
  hook_started: open(hook),
  hook_progress: open({ ...hook, output: text.optional() }),
  hook_response: open({
    ...hook,
    output: text.optional(),
    stdout: text.optional(),
    stderr: text.optional(),
    exit_code: count.optional(),
    outcome: text.optional(),
  }),
  plugin_install: open({ ...common, status: text, name: text.optional(), error: text.optional() }),
  task_started: open({ ...task, description: text.optional(), subagent_type: text.optional() }),
  task_progress: open({
    ...task,
    description: text.optional(),
    last_tool_name: text.optional(),
    summary: text.optional(),
  }),
  task_updated: open({ ...task, patch: open({ status: text.optional() }) }),
  task_notification: open({ ...task, status: text, summary: text.optional() }),
  background_tasks_changed: open({ ...common, tasks: z.array(open({ task_id: text })) }),
  thinking_tokens: open({ ...common, estimated_tokens: count }),
  session_state_changed: open({ ...common, state: text }),
  worker_shutting_down: open({ ...common, reason: text.optional() }),
  commands_changed: open({ ...common, commands: z.array(open({ name: text })) }),
  notification: open({ ...common, text, priority: text.optional() }),
  files_persisted: open({
    ...common,
    files: z.array(open({ filename: text })),
    failed: z.array(open({ filename: text })).optional(),
  }),
  memory_recall: open({ ...common, memories: z.array(open({ path: text })) }),
  elicitation_complete: open({ ...common, elicitation_id: text }),
  permission_denied: open({
    ...common,
    tool_name: text,
    tool_use_id: text.optional(),
    message: text.optional(),
    agent_id: text.optional(),
  }),
  mirror_error: open({ ...common, error: text }),
  informational: open({ ...common, content: text, level: text.optional() }),
  session_writes_lost: open({
    ...common,
    error_code: text.optional(),
    lost: z.array(text).optional(),
    transcript_session_ids: z.array(text).optional(),
  }),
};
