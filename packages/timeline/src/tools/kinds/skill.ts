import type { JsonObject } from "@signalbox/protocol";
import { extractText } from "../../tool-payload/content.ts";
import type { Skill, ToolResult } from "../../tool-payload/payload.ts";
import {
  toFields,
  omitUndefined,
  stringify,
  stringifyOrUndefined,
  nonEmptyString,
} from "../../tool-payload/values.ts";

/** SlashCommand has both in one field: "/name and its arguments". */
export function skillCall(name: string, input: JsonObject): Skill {
  const whole = stringify(input["skill"] ?? input["command"]);
  const [, called = whole, rest] = /^\/?(\S+)(?:\s+([\s\S]+))?$/.exec(whole) ?? [];
  const isSlashCommand = name === "SlashCommand";
  return omitUndefined({
    kind: "skill" as const,
    name: isSlashCommand ? called : whole.replace(/^\//, ""),
    args: stringifyOrUndefined(input["args"]) ?? (isSlashCommand ? rest : undefined),
  });
}

export function skillResult(payload: Skill, { content, structured }: ToolResult): Skill {
  return {
    ...payload,
    output: nonEmptyString(toFields(structured)["result"]) ?? extractText(content),
  };
}
