import { isObject, type JsonObject } from "@signalbox/protocol/wire";

/** A question of a server to a person (`elicitation/create`). */
export type Question =
  | {
      readonly mode: "form";
      readonly message: string;
      readonly requestedSchema: JsonObject & { readonly properties: JsonObject };
      readonly _meta?: unknown;
    }
  | {
      readonly mode: "url";
      readonly message: string;
      readonly url: string;
      readonly elicitationId: string;
      readonly _meta?: unknown;
    };

const kinds = new Set(["string", "number", "integer", "boolean", "array"]);

/** Parses the question. Returns a sentence about the error if it is invalid. */
export function readQuestion(params: unknown): Question | string {
  if (!isObject(params)) return "it has no parameters";
  const { mode = "form", message, requestedSchema: schema, url, elicitationId, _meta } = params;
  if (typeof message !== "string") return "it has no message";
  const meta = _meta === undefined ? {} : { _meta };
  if (mode === "url") {
    if (typeof elicitationId !== "string") return "a link needs an elicitationId";
    if (typeof url !== "string" || !URL.canParse(url)) return "its url is none";
    return { mode, message, url, elicitationId, ...meta };
  }
  if (mode !== "form") return "its mode is neither form nor url";
  if (!isObject(schema) || schema["type"] !== "object" || !isObject(schema["properties"])) {
    return "a form needs a requestedSchema of an object";
  }
  const { properties } = schema;
  const odd = Object.keys(properties).find((name) => {
    const field = properties[name];
    return !isObject(field) || !kinds.has(String(field["type"]));
  });
  if (odd !== undefined) return `the field ${odd} is of a kind that forms do not have`;
  return { mode, message, requestedSchema: { ...schema, properties }, ...meta };
}
