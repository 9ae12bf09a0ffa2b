import { getTools } from "../commands/main-agent.ts";
import { mcpTools } from "../mcp/tools.ts";
import { namesTool, readRule, splitRules } from "../permission/rule.ts";
import type { Session } from "../session.ts";
import { getRules } from "../settings.ts";
import { agentTool } from "./agent-tool.ts";
import { askUserQuestion } from "../tools/ask-user.ts";
import { bash } from "../tools/bash.ts";
import { edit } from "../tools/edit.ts";
import { glob } from "../tools/glob.ts";
import { grep } from "../tools/grep.ts";
import { notebookEdit } from "../tools/notebook.ts";
import { nameNow } from "../tool-names.ts";
import { enterPlanMode, exitPlanMode } from "../tools/plan.ts";
import { read } from "../tools/read.ts";
import { sendMessage } from "../tools/send-message.ts";
import { skill } from "../tools/skill.ts";
import { structuredOutput } from "../tools/structured-output.ts";
import { taskCreate, taskGet, taskList, taskUpdate, todoWrite } from "../tools/task-board.ts";
import { taskOutput, taskStop } from "../tools/task-control.ts";
import type { Tool } from "../tool.ts";
import { webFetch } from "../tools/web-fetch.ts";
import { webSearch } from "../tools/web-search.ts";
import { write } from "../tools/write.ts";

/** Tools that need a person to answer. */
const needHost = [askUserQuestion, enterPlanMode, exitPlanMode];

/** Returns all tools of a session at this moment. */
export function allTools(session: Session): Tool[] {
  const { options, host } = session.context;
  const own = [
    agentTool(session, () => allTools(session)),
    ...(host.asksPermission ? needHost : []),
    bash,
    edit,
    glob,
    grep,
    notebookEdit,
    read,
    sendMessage,
    ...(session.commands.some(({ forModel }) => forModel) ? [skill] : []),
    taskCreate,
    taskGet,
    taskList,
    taskOutput,
    taskStop,
    taskUpdate,
    todoWrite,
    webFetch,
    webSearch,
    write,
  ];
  const wanted = options.tools?.map(nameNow);
  const offered =
    wanted === undefined || wanted.includes("default")
      ? own
      : own.filter(({ name }) => wanted.includes(name));
  const denied = session.settings.files.flatMap((file) => getRules(file).deny);
  const forbidden = [...splitRules(options.disallowedTools), ...denied]
    .map((text) => readRule(text, "cliArg", ""))
    .filter(({ content }) => content === undefined);
  const schema = session.jsonSchema ? [structuredOutput(session.jsonSchema)] : [];
  const isForbidden = ({ name }: Tool) => forbidden.some((rule) => namesTool(rule, name));
  for (const tool of offered) if (isForbidden(tool)) session.hidden.add(tool.name);
  return [...offered, ...mcpTools(session), ...schema].filter((tool) => !isForbidden(tool));
}

/** Returns the tools of the main conversation. The kind that leads it may not have all of them. */
export function mainTools(session: Session): Tool[] {
  const { mainAgent } = session;
  return mainAgent ? getTools(mainAgent, allTools(session)) : allTools(session);
}

/** Returns the names for hosts, who know the subagent tool as Task. */
export function toolNames(session: Session): string[] {
  return mainTools(session)
    .map(({ name }) => (name === "Agent" ? "Task" : name))
    .toSorted(
      (one, other) => Number(other === "Task") - Number(one === "Task") || one.localeCompare(other),
    );
}
