import { extractError } from "../tool-payload/content.ts";
import { backgroundShellResult } from "./kinds/background-shell.ts";
import { codeSearchResult } from "./kinds/code-search.ts";
import { genericResult } from "./kinds/generic.ts";
import { httpRequestResult } from "./kinds/http-request.ts";
import { mcpToolResult } from "./kinds/mcp-tool.ts";
import { miscResult } from "./kinds/misc.ts";
import { modifyFileResult } from "./kinds/modify-file.ts";
import { planResult } from "./kinds/plan.ts";
import { questionResult } from "./kinds/question.ts";
import { readFileResult } from "./kinds/read-file.ts";
import { scheduleResult } from "./kinds/schedule.ts";
import { shellExecResult } from "./kinds/shell-exec.ts";
import { skillResult } from "./kinds/skill.ts";
import { subagentTaskResult } from "./kinds/subagent-task.ts";
import { createTaskResult, manageTodosResult } from "./kinds/todos.ts";
import { workflowResult } from "./kinds/workflow.ts";
import { worktreeResult } from "./kinds/worktree.ts";
import type { ToolPayload, ToolResult } from "../tool-payload/payload.ts";

/** Adds the result to the payload of a call: from the wire's structure, or else from the text. */
export function describeResult(payload: ToolPayload, result: ToolResult): ToolPayload {
  return result.isError ? describeFailure(payload, result) : describeSuccess(payload, result);
}

/**
 * A tool that fails has no output except its error. A command is an exception: it ran and printed.
 */
function describeFailure(payload: ToolPayload, result: ToolResult): ToolPayload {
  const error = extractError(result.content, result.structured);
  switch (payload.kind) {
    case "shell_exec":
      return { ...shellExecResult(payload, result), error };
    case "mcp_tool":
      return { ...mcpToolResult(payload, result), error };
    case "plan":
      return { ...planResult(payload, result), error };
    case "http_request":
      return { ...payload, isError: true, error };
    default:
      return { ...payload, error };
  }
}

function describeSuccess(payload: ToolPayload, result: ToolResult): ToolPayload {
  switch (payload.kind) {
    case "read_file":
      return readFileResult(payload, result);
    case "modify_file":
      return modifyFileResult(payload, result);
    case "shell_exec":
      return shellExecResult(payload, result);
    case "background_shell":
      return backgroundShellResult(payload, result);
    case "code_search":
      return codeSearchResult(payload, result);
    case "http_request":
      return httpRequestResult(payload, result);
    case "subagent_task":
      return subagentTaskResult(payload, result);
    case "create_task":
      return createTaskResult(payload, result);
    case "manage_todos":
      return manageTodosResult(payload, result);
    case "question":
      return questionResult(payload, result);
    case "plan":
      return planResult(payload, result);
    case "skill":
      return skillResult(payload, result);
    case "mcp_tool":
      return mcpToolResult(payload, result);
    case "worktree":
      return worktreeResult(payload, result);
    case "schedule":
      return scheduleResult(payload, result);
    case "workflow":
      return workflowResult(payload, result);
    case "misc":
      return miscResult(payload, result);
    case "generic":
      return genericResult(payload, result);
    default:
      return payload satisfies never;
  }
}
