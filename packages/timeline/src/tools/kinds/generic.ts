import { imagesOf, textOf } from "../content.ts";
import type { Generic, ToolResult } from "../payload.ts";
import { given, json, said } from "../values.ts";

export function genericCall(name: string, input: unknown): Generic {
  return { kind: "generic", name, input: json(input) };
}

export function genericResult(payload: Generic, { content, structured }: ToolResult): Generic {
  const images = imagesOf(content);
  const told = textOf(content);
  const output = told === "" && !images ? said(structured) : told;
  return given({ ...payload, output, images });
}
