import type { ToolKind } from "@signalbox/timeline";
import {
  Bot,
  CalendarClock,
  CircleHelp,
  FileDiff,
  FileText,
  GitBranch,
  Globe,
  ListChecks,
  ListTodo,
  type LucideIcon,
  Map as MapIcon,
  Plug,
  Search,
  Sparkles,
  SquareTerminal,
  Workflow,
  Wrench,
} from "lucide-react";
import { strings } from "../../strings/strings.ts";

const text = strings.tools;

const icons: Readonly<Record<ToolKind, LucideIcon>> = {
  read_file: FileText,
  modify_file: FileDiff,
  shell_exec: SquareTerminal,
  background_shell: SquareTerminal,
  code_search: Search,
  http_request: Globe,
  subagent_task: Bot,
  create_task: ListTodo,
  manage_todos: ListChecks,
  question: CircleHelp,
  plan: MapIcon,
  skill: Sparkles,
  mcp_tool: Plug,
  worktree: GitBranch,
  schedule: CalendarClock,
  workflow: Workflow,
  generic: Wrench,
  misc: Wrench,
};

/** Verbs for frequent tools, once they have done it. Others are shown by the agent's own name for them. */
export const toolNames: Partial<Readonly<Record<string, string>>> = {
  read_file: text.read,
  code_search: text.searched,
  modify_file: text.edited,
  shell_exec: "",
};

/** The same while they have not, or when they did not. */
export const plannedToolNames: typeof toolNames = {
  ...toolNames,
  code_search: text.search,
  modify_file: text.edit,
};

/** The icon of a kind of tool. */
export function ToolIcon({ kind }: { kind: string | undefined }) {
  const Icon = kind !== undefined && Object.hasOwn(icons, kind) ? icons[kind as ToolKind] : Wrench;
  return <Icon aria-hidden="true" className="text-dim" />;
}
