/**
 * The fields of a JSON object whose end may not have been written yet: texts as far as they go, other
 * values as they were written. Undefined: this is no object. An unfinished name, and a value of which
 * nothing is there, are left out.
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

/** Behind the closing quote of the string that begins here, or the end of what there is. */
function findStringEnd(json: string, from: number): number {
  for (let at = from + 1; at < json.length; at++) {
    if (json[at] === "\\") at++;
    else if (json[at] === '"') return at + 1;
  }
  return json.length;
}

/** Where the value that begins here ends: at the comma or brace that belongs to the object around it. */
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

/** A string as it reads. What is cut in the middle of an escape ends before it. */
function decodeString(written: string): string {
  try {
    return JSON.parse(written) as string;
  } catch {
    const body = dropCutEscape(written.slice(1));
    try {
      return JSON.parse(`"${body}"`) as string;
    } catch {
      return body; // not JSON: as it stands
    }
  }
}

function dropCutEscape(body: string): string {
  const last = /\\(?:u[0-9a-fA-F]{0,3})?$/.exec(body.slice(-5));
  if (!last) return body;
  const from = body.length - last[0].length;
  let before = from;
  while (body[before - 1] === "\\") before--;
  return (from - before) % 2 === 0 ? body.slice(0, from) : body; // otherwise that backslash is a text's own
}
