import { extractImages, extractText } from "../../tool-payload/content.ts";
import type { Generic, ToolResult } from "../../tool-payload/payload.ts";
import { omitUndefined, json, stringify } from "../../tool-payload/values.ts";

export function genericCall(name: string, input: unknown): Generic {
  return { kind: "generic", name, input: json(input) };
}

export function genericResult(payload: Generic, { content, structured }: ToolResult): Generic {
  const images = extractImages(content);
  const text = extractText(content);
  const output = text === "" && !images ? stringify(structured) : text;
  return omitUndefined({ ...payload, output, images });
}
