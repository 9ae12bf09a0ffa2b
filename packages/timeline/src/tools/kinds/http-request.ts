import { isObject, type JsonObject } from "@signalbox/protocol";
import { textOf } from "../content.ts";
import type { HttpRequest, ToolResult } from "../payload.ts";
import { fieldsOf, given, listOf, number, said, saidOrNone, whole, words } from "../values.ts";

export function httpRequestCall(name: string, input: JsonObject): HttpRequest {
  return given({
    kind: "http_request" as const,
    url: saidOrNone(input["url"]),
    query: saidOrNone(input["query"]),
    method: name === "WebSearch" ? ("SEARCH" as const) : ("GET" as const),
    prompt: saidOrNone(input["prompt"]),
  });
}

export function httpRequestResult(payload: HttpRequest, result: ToolResult): HttpRequest {
  const structured = fieldsOf(result.structured);
  const { durationMs, durationSeconds } = structured;
  const results = Array.isArray(structured["results"]) ? structured["results"] : undefined;
  const found = results?.filter(isObject).flatMap((one) => listOf(one["content"]).map(link));
  const told = results?.filter((one) => typeof one === "string").join("\n\n");
  const seconds = number(durationSeconds);
  const output = given({
    response: words(structured["result"]) ?? told ?? textOf(result.content),
    status: number(structured["code"]),
    bytes: number(structured["bytes"]),
    results: found,
    durationMs: whole(number(durationMs) ?? (seconds === undefined ? undefined : seconds * 1000)),
  });
  return { ...payload, output };
}

function link(value: unknown) {
  const { title, url } = fieldsOf(value);
  return { title: said(title), url: said(url) };
}
