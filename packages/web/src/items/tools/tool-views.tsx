import type { ToolKind } from "@signalbox/timeline";
import type { ComponentType } from "react";
import { BackgroundShellView } from "./background-shell.tsx";
import { CodeSearchView } from "./code-search.tsx";
import { GenericView } from "./generic.tsx";
import { HttpRequestView } from "./http-request.tsx";
import { McpToolView } from "./mcp-tool.tsx";
import { MiscView } from "./misc.tsx";
import { ModifyFileView } from "./modify-file.tsx";
import { PlanView } from "./plan.tsx";
import { QuestionView } from "./question.tsx";
import { ReadFileView } from "./read-file.tsx";
import { ScheduleView } from "./schedule.tsx";
import { ShellView } from "./shell.tsx";
import { SkillView } from "./skill.tsx";
import { SubagentView } from "./subagent.tsx";
import { CreateTaskView, ManageTodosView } from "./todos.tsx";
import type { ToolProps } from "./tool-card.tsx";
import { WorkflowView } from "./workflow.tsx";
import { WorktreeView } from "./worktree.tsx";

/** The view of every kind of tool. */
export const toolViews: { readonly [Kind in ToolKind]: ComponentType<ToolProps<Kind>> } = {
  read_file: ReadFileView,
  modify_file: ModifyFileView,
  shell_exec: ShellView,
  background_shell: BackgroundShellView,
  code_search: CodeSearchView,
  http_request: HttpRequestView,
  subagent_task: SubagentView,
  create_task: CreateTaskView,
  manage_todos: ManageTodosView,
  question: QuestionView,
  plan: PlanView,
  skill: SkillView,
  mcp_tool: McpToolView,
  worktree: WorktreeView,
  schedule: ScheduleView,
  workflow: WorkflowView,
  generic: GenericView,
  misc: MiscView,
};
