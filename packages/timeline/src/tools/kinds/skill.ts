import type { JsonObject } from "@signalbox/protocol";
import { textOf } from "../content.ts";
import type { Skill, ToolResult } from "../payload.ts";
import { fieldsOf, given, said, saidOrNone, words } from "../values.ts";

/** SlashCommand has both in one: "/name and its arguments". */
export function skillCall(name: string, input: JsonObject): Skill {
  const whole = said(input["skill"] ?? input["command"]);
  const [, called = whole, rest] = /^\/?(\S+)(?:\s+([\s\S]+))?$/.exec(whole) ?? [];
  const apart = name === "SlashCommand";
  return given({
    kind: "skill" as const,
    name: apart ? called : whole.replace(/^\//, ""),
    args: saidOrNone(input["args"]) ?? (apart ? rest : undefined),
  });
}

export function skillResult(payload: Skill, { content, structured }: ToolResult): Skill {
  return { ...payload, output: words(fieldsOf(structured)["result"]) ?? textOf(content) };
}
