import type { JsonObject } from "@signalbox/protocol";
import { isObject } from "@signalbox/protocol/wire";
import { extractText } from "../../tool-payload/content.ts";
import type { HttpRequest, ToolResult } from "../../tool-payload/payload.ts";
import {
  toFields,
  omitUndefined,
  toList,
  number,
  stringify,
  stringifyOrUndefined,
  toInteger,
  nonEmptyString,
} from "../../tool-payload/values.ts";

export function httpRequestCall(name: string, input: JsonObject): HttpRequest {
  return omitUndefined({
    kind: "http_request" as const,
    url: stringifyOrUndefined(input["url"]),
    query: stringifyOrUndefined(input["query"]),
    method: name === "WebSearch" ? ("SEARCH" as const) : ("GET" as const),
    prompt: stringifyOrUndefined(input["prompt"]),
  });
}

export function httpRequestResult(payload: HttpRequest, result: ToolResult): HttpRequest {
  const structured = toFields(result.structured);
  const { durationMs, durationSeconds } = structured;
  const results = Array.isArray(structured["results"]) ? structured["results"] : undefined;
  const found = results?.filter(isObject).flatMap((one) => toList(one["content"]).map(link));
  const texts = results?.filter((one) => typeof one === "string").join("\n\n");
  const seconds = number(durationSeconds);
  const output = omitUndefined({
    response: nonEmptyString(structured["result"]) ?? texts ?? extractText(result.content),
    status: number(structured["code"]),
    bytes: number(structured["bytes"]),
    results: found,
    durationMs: toInteger(
      number(durationMs) ?? (seconds === undefined ? undefined : seconds * 1000),
    ),
  });
  return { ...payload, output };
}

function link(value: unknown) {
  const { title, url } = toFields(value);
  return { title: stringify(title), url: stringify(url) };
}
