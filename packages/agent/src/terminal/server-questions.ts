import { isObject, type JsonObject } from "@signalbox/protocol/wire";
import type { ElicitationResult } from "../agent.ts";
import { toSingleLine, makeSafe } from "./screen-text.ts";

/** Reads one line from the person; undefined if they leave or interrupt. */
type Ask = (text: string) => Promise<string | undefined>;

const WRONG = Symbol("what was typed does not fit");

/**
 * Asks on the terminal what an MCP server wants to know, field by field, or whether a link may be
 * opened.
 */
export async function askForServer(request: JsonObject, ask: Ask): Promise<ElicitationResult> {
  const { mcp_server_name: server, message, url } = request;
  const head = `▲ The MCP server ${toSingleLine(String(server))} asks:\n${makeSafe(String(message))}\n`;
  if (request["mode"] === "url") {
    return toElicitationResult(
      await ask(`${head}It wants you to open ${toSingleLine(String(url))}\nDone? [y/N] `),
    );
  }
  const wanted = await ask(`${head}Answer it? [y/N] `);
  const { action } = toElicitationResult(wanted);
  if (action !== "accept") return { action };
  const schema = isObject(request["requested_schema"]) ? request["requested_schema"] : {};
  const content = await askFields(schema, ask);
  return content ? { action, content } : { action: "cancel" };
}

function toElicitationResult(reply: string | undefined): ElicitationResult {
  if (reply === undefined) return { action: "cancel" };
  return { action: /^y(?:es)?$/i.test(reply.trim()) ? "accept" : "decline" };
}

async function askFields({ properties, required }: JsonObject, ask: Ask) {
  const content: JsonObject = {};
  for (const [name, field] of Object.entries(isObject(properties) ? properties : {})) {
    if (!isObject(field)) continue;
    const isNeeded = Array.isArray(required) && required.includes(name);
    for (;;) {
      const reply = await ask(`  ${describeField(name, field, isNeeded)}: `);
      if (reply === undefined) return undefined;
      const value = reply.trim() === "" ? field["default"] : read(reply.trim(), field);
      if (value === WRONG || (isNeeded && value === undefined)) continue;
      if (value !== undefined) content[name] = value;
      break;
    }
  }
  return content;
}

function describeField(name: string, field: JsonObject, isNeeded: boolean): string {
  const { title, description, default: usual } = field;
  const choices = getChoices(field).map(({ value, label }) => label ?? value);
  const notes = [
    ...(typeof description === "string" ? [description] : []),
    ...(choices.length > 0 ? [choices.join(", ")] : [String(field["type"])]),
    ...(usual === undefined ? [] : [`otherwise ${JSON.stringify(usual)}`]),
    ...(isNeeded ? [] : ["may be left empty"]),
  ];
  return toSingleLine(`${typeof title === "string" ? title : name} (${notes.join("; ")})`);
}

interface Choice {
  readonly value: string;
  readonly label?: string;
}

/** Returns the choices of a field, or of the items of a list. */
function getChoices(field: JsonObject): Choice[] {
  const { items, enum: values, enumNames: names, oneOf, anyOf } = field;
  if (isObject(items)) return getChoices(items);
  const labels = Array.isArray(names) ? names : [];
  if (Array.isArray(values)) {
    return values.map((value, at) => ({
      value: String(value),
      ...(typeof labels[at] === "string" ? { label: labels[at] } : {}),
    }));
  }
  const titled = [oneOf, anyOf].find(Array.isArray) ?? [];
  return titled
    .filter(isObject)
    .map(({ const: value, title }) => ({ value: String(value), label: String(title ?? value) }));
}

function read(reply: string, field: JsonObject): unknown {
  const choices = getChoices(field);
  const chosen = (text: string) =>
    choices.find(({ value, label }) => value === text || label === text)?.value ?? WRONG;
  switch (field["type"]) {
    case "boolean":
      if (/^(?:y|yes|true)$/i.test(reply)) return true;
      return /^(?:n|no|false)$/i.test(reply) ? false : WRONG;
    case "integer":
      return Number.isInteger(Number(reply)) ? Number(reply) : WRONG;
    case "number":
      return Number.isFinite(Number(reply)) ? Number(reply) : WRONG;
    case "array": {
      const values = reply.split(",").map((one) => chosen(one.trim()));
      return values.includes(WRONG) ? WRONG : values;
    }
    default:
      return choices.length > 0 ? chosen(reply) : reply;
  }
}
