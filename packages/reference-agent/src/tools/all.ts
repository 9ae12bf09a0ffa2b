import { toolsOf } from "../commands/main-agent.ts";
import { mcpTools } from "../mcp/tools.ts";
import { namesTool, readRule, splitRules } from "../permission/rule.ts";
import type { Session } from "../session.ts";
import { rulesOf } from "../settings.ts";
import { agentTool } from "./agent.ts";
import { askUserQuestion } from "./ask-user.ts";
import { bash } from "./bash.ts";
import { edit } from "./edit.ts";
import { glob } from "./glob.ts";
import { grep } from "./grep.ts";
import { notebookEdit } from "./notebook.ts";
import { nameNow } from "./older-names.ts";
import { enterPlanMode, exitPlanMode } from "./plan.ts";
import { read } from "./read.ts";
import { sendMessage } from "./send-message.ts";
import { skill } from "./skill.ts";
import { structuredOutput } from "./structured-output.ts";
import { taskCreate, taskGet, taskList, taskUpdate, todoWrite } from "./task-board.ts";
import { taskOutput, taskStop } from "./task-control.ts";
import type { Tool } from "./tool.ts";
import { webFetch } from "./web-fetch.ts";
import { webSearch } from "./web-search.ts";
import { write } from "./write.ts";

/** Those that need somebody to ask. */
const needHost = [askUserQuestion, enterPlanMode, exitPlanMode];

/** Every tool that there is for a session at this moment. */
export function allTools(session: Session): Tool[] {
  const { options, host } = session.birth;
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
  const denied = session.settings.files.flatMap((file) => rulesOf(file).deny);
  const forbidden = [...splitRules(options.disallowedTools), ...denied]
    .map((text) => readRule(text, "cliArg", ""))
    .filter(({ content }) => content === undefined);
  const schema = session.jsonSchema ? [structuredOutput(session.jsonSchema)] : [];
  const isForbidden = ({ name }: Tool) => forbidden.some((rule) => namesTool(rule, name));
  for (const tool of offered) if (isForbidden(tool)) session.hidden.add(tool.name);
  return [...offered, ...mcpTools(session), ...schema].filter((tool) => !isForbidden(tool));
}

/** Those of the main conversation, which may be led as a kind that has not all of them. */
export function mainTools(session: Session): Tool[] {
  const { mainAgent } = session;
  return mainAgent ? toolsOf(mainAgent, allTools(session)) : allTools(session);
}

/** As hosts know them: the subagent tool is called Task there. */
export function toolNames(session: Session): string[] {
  return mainTools(session)
    .map(({ name }) => (name === "Agent" ? "Task" : name))
    .toSorted(
      (one, other) => Number(other === "Task") - Number(one === "Task") || one.localeCompare(other),
    );
}
