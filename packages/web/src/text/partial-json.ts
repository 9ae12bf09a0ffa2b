/**
 * The fields of a JSON object that may be incomplete: strings as far as they go, other values as written.
 * Undefined if it is not an object. Incomplete names and missing values are omitted.
 */
export function parsePartialFields(json: string): ReadonlyMap<string, string> | undefined {
  const open = /^\s*\{/.exec(json);
  if (!open) return undefined;
  const fields = new Map<string, string>();
  let at = open[0].length;
  while (at < json.length) {
    at = skip(json, at, /[\s,]/);
    if (json[at] !== '"') break;
    const nameEnd = findStringEnd(json, at);
    const colon = skip(json, nameEnd, /\s/);
    if (json[colon] !== ":") break;
    const from = skip(json, colon + 1, /\s/);
    if (from >= json.length) break;
    const to = findValueEnd(json, from);
    const written = json.slice(from, to);
    fields.set(
      decodeString(json.slice(at, nameEnd)),
      written.startsWith('"') ? decodeString(written) : written.trimEnd(),
    );
    at = to;
  }
  return fields;
}

function skip(json: string, from: number, what: RegExp): number {
  let at = from;
  while (at < json.length && what.test(json.charAt(at))) at++;
  return at;
}

/** The position after the string's closing quote, or the end of the text. */
function findStringEnd(json: string, from: number): number {
  for (let at = from + 1; at < json.length; at++) {
    if (json[at] === "\\") at++;
    else if (json[at] === '"') return at + 1;
  }
  return json.length;
}

/** The position where a value ends: at the comma or brace of the surrounding object. */
function findValueEnd(json: string, from: number): number {
  if (json[from] === '"') return findStringEnd(json, from);
  let depth = 0;
  for (let at = from; at < json.length; at++) {
    const sign = json[at];
    if (sign === '"') at = findStringEnd(json, at) - 1;
    else if (sign === "{" || sign === "[") depth++;
    else if (depth === 0 && (sign === "," || sign === "}")) return at;
    else if (sign === "}" || sign === "]") depth--;
  }
  return json.length;
}

/** Decodes a string. An incomplete escape at its end is dropped. */
function decodeString(written: string): string {
  try {
    return JSON.parse(written) as string;
  } catch {
    const body = dropCutEscape(written.slice(1));
    try {
      return JSON.parse(`"${body}"`) as string;
    } catch {
      return body; // Not valid JSON, so it is returned as written.
    }
  }
}

function dropCutEscape(body: string): string {
  const last = /\\(?:u[0-9a-fA-F]{0,3})?$/.exec(body.slice(-5));
  if (!last) return body;
  const from = body.length - last[0].length;
  let before = from;
  while (body[before - 1] === "\\") before--;
  return (from - before) % 2 === 0 ? body.slice(0, from) : body; // Otherwise the backslash is part of the text.
}
