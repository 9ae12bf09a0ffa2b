import { backgroundShellCall } from "./kinds/background-shell.ts";
import { codeSearchCall } from "./kinds/code-search.ts";
import { genericCall } from "./kinds/generic.ts";
import { httpRequestCall } from "./kinds/http-request.ts";
import { mcpToolCall } from "./kinds/mcp-tool.ts";
import { miscCall } from "./kinds/misc.ts";
import { modifyFileCall } from "./kinds/modify-file.ts";
import { planCall } from "./kinds/plan.ts";
import { questionCall } from "./kinds/question.ts";
import { readFileCall } from "./kinds/read-file.ts";
import { scheduleCall } from "./kinds/schedule.ts";
import { shellExecCall } from "./kinds/shell-exec.ts";
import { skillCall } from "./kinds/skill.ts";
import { subagentTaskCall } from "./kinds/subagent-task.ts";
import { createTaskCall, manageTodosCall } from "./kinds/todos.ts";
import { workflowCall } from "./kinds/workflow.ts";
import { worktreeCall } from "./kinds/worktree.ts";
import { findToolKind } from "../tool-payload/tool-kinds.ts";
import type { ToolPayload } from "../tool-payload/payload.ts";
import { toFields } from "../tool-payload/values.ts";

/** Reads the input of a tool call. Accepts any input: missing fields are omitted or empty. */
export function describeCall(name: string, input: unknown): ToolPayload {
  const fields = toFields(input);
  const kind = findToolKind(name);
  switch (kind) {
    case "read_file":
      return readFileCall(fields);
    case "modify_file":
      return modifyFileCall(name, fields);
    case "shell_exec":
      return shellExecCall(fields);
    case "background_shell":
      return backgroundShellCall(name, fields);
    case "code_search":
      return codeSearchCall(name, fields);
    case "http_request":
      return httpRequestCall(name, fields);
    case "subagent_task":
      return subagentTaskCall(fields);
    case "create_task":
      return createTaskCall(fields);
    case "manage_todos":
      return manageTodosCall(name, fields);
    case "question":
      return questionCall(fields);
    case "plan":
      return planCall(name, fields);
    case "skill":
      return skillCall(name, fields);
    case "mcp_tool":
      return mcpToolCall(name, input);
    case "worktree":
      return worktreeCall(name, fields);
    case "schedule":
      return scheduleCall(name, fields);
    case "workflow":
      return workflowCall(fields);
    case "misc":
      return miscCall(name, fields);
    case "generic":
      return genericCall(name, input);
    default:
      return kind satisfies never;
  }
}
