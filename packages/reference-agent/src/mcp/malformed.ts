import { isObject } from "@signalbox/protocol/wire";

interface Flaw {
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly [field: string]: unknown;
}

/** Returns why the answer to a call is invalid; undefined if it is valid. */
export function findMalformedPart(answer: unknown): string | undefined {
  if (!isObject(answer)) return formatFlaws([wrongType("object", [], answer)]);
  const { content, structuredContent } = answer;
  const flaws = [
    ...(content === undefined || Array.isArray(content)
      ? (content ?? []).flatMap((block, index) => getFlaws(block, ["content", index]))
      : [wrongType("array", ["content"], content)]),
    ...(structuredContent === undefined || isObject(structuredContent)
      ? []
      : [wrongType("record", ["structuredContent"], structuredContent)]),
  ];
  return flaws.length > 0 ? formatFlaws(flaws) : undefined;
}

const formatFlaws = (flaws: readonly Flaw[]): string => JSON.stringify(flaws, null, 2);

/** The text fields that each kind of block requires. */
const needs: Record<string, readonly string[]> = {
  text: ["text"],
  image: ["data", "mimeType"],
  audio: ["data", "mimeType"],
  resource_link: ["name", "uri"],
};

function getFlaws(block: unknown, path: readonly (string | number)[]): Flaw[] {
  if (!isObject(block)) return [wrongType("object", path, block)];
  const type = String(block["type"]);
  const resource = block["resource"];
  if (type === "resource") {
    if (!isObject(resource)) return [wrongType("object", [...path, "resource"], resource)];
    return "blob" in resource ? badBytes(resource["blob"], [...path, "resource", "blob"]) : [];
  }
  const fields = needs[type];
  if (!fields) return [{ code: "invalid_union", path, message: "Invalid input" }];
  const missing = fields.filter((field) => typeof block[field] !== "string");
  if (missing.length > 0) {
    return missing.map((field) => wrongType("string", [...path, field], block[field]));
  }
  return fields.includes("data") ? badBytes(block["data"], [...path, "data"]) : [];
}

function wrongType(expected: string, path: readonly (string | number)[], found: unknown): Flaw {
  const received = found === null ? "null" : Array.isArray(found) ? "array" : typeof found;
  const message = `Invalid input: expected ${expected}, received ${received}`;
  return { expected, code: "invalid_type", path, message };
}

function badBytes(data: unknown, path: readonly (string | number)[]): Flaw[] {
  const isBase64 =
    typeof data === "string" && data.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(data);
  return isBase64 ? [] : [{ code: "custom", path, message: "Invalid Base64 string" }];
}
