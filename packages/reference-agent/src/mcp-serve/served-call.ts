import { errorMessage } from "@signalbox/protocol/text";
import { isObject, type JsonObject } from "@signalbox/protocol/wire";
import { decide } from "../permission/decide.ts";
import type { Session } from "../session.ts";
import { allTools } from "../turn/all-tools.ts";
import { toolNamed } from "../tool-names.ts";
import type { Call, Tool } from "../tool.ts";
import { inputProblem } from "../turn/input-problem.ts";

export class UnknownTool extends Error {
  override readonly name = "UnknownTool";
}

/**
 * Runs a call for the served program, which decides and asks its own user. As in Claude Code, no
 * hooks run and nothing is asked here, and a rule that denies still applies.
 */
export async function callServed(session: Session, params: JsonObject): Promise<object> {
  const name = String(params["name"]);
  const tool = toolNamed(allTools(session), name);
  if (!tool) throw new UnknownTool(`Tool ${name} not found`);
  const input = isObject(params["arguments"]) ? params["arguments"] : {};
  const { signal } = new AbortController(); // Nothing aborts the call.
  const call: Call = {
    session,
    toolUseId: crypto.randomUUID(),
    signal,
    interruption: signal,
    say: () => {},
  };
  try {
    const why = await refusal(tool, input, call, name);
    if (why !== undefined) return failed(why);
    const { structured, content, followUps = [] } = await tool.run(input, call);
    const resultValue = structured ?? content;
    const first = typeof resultValue === "string" ? resultValue : JSON.stringify(resultValue);
    return { content: [first, ...followUps].map((text) => ({ type: "text", text })) };
  } catch (cause) {
    return failed(errorMessage(cause));
  }
}

async function refusal(
  tool: Tool,
  input: JsonObject,
  call: Call,
  name: string,
): Promise<string | undefined> {
  const { session } = call;
  const wrong = inputProblem(tool, input);
  if (wrong) return `Tool ${name} arguments failed schema validation: ${wrong.listed}`;
  const forbidden = tool.forbid?.(input, session);
  if (forbidden) return forbidden.why;
  const judge = () => tool.judge?.(input, call) ?? ({ behavior: "allow" } as const);
  const decision = decide(session.permission, tool.name, judge);
  if (decision.behavior === "deny" && decision.reason !== "mode") return decision.message;
  const why = await tool.refuse?.(input, session);
  return why === undefined ? undefined : `Tool ${name} input is invalid: ${why}`;
}

const failed = (text: string): object => ({ content: [{ type: "text", text }], isError: true });
