import { describeApi, type ErrorCode } from "@signalbox/api";
import {
  apiErrors,
  getRole,
  getStatuses,
  routeEntries,
  splitKey,
  apiTags,
} from "@signalbox/api/routes";

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly additionalProperties?: Schema | boolean;
  readonly default?: unknown;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}
interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly description?: string;
    readonly schema: Schema;
  }[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}
interface Socket {
  readonly name: string;
  readonly path: string;
  readonly protocol: string;
  readonly version: number;
  readonly description: string;
  readonly received: Schema;
  readonly sent: Schema;
}
interface Document {
  readonly info: { readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  readonly "x-websockets": Readonly<Record<string, Socket>>;
}

/** The page docs/api.md, from the contract. */
export function writeReference(): string {
  const document = describeApi("0") as unknown as Document;
  const { schemas } = document.components;
  return [
    "# API reference",
    "",
    "Written by `npm run docs:api` from `packages/api`; a test compares it with the contract. The same is in `/api/openapi.json` of every hub (OpenAPI 3.1).",
    "",
    document.info.description,
    "",
    "Roles, each with the rights of those before it: `viewer` reads; `driver` starts, steers and stops; `approver` answers asks; `admin` manages devices and settings.",
    "",
    ...Object.entries(apiTags).flatMap(([tag, text]) => writeTag(document, tag, text)),
    "## WebSockets",
    "",
    ...Object.values(document["x-websockets"]).flatMap((socket) => writeSocket(socket, schemas)),
    "## Errors",
    "",
    "Every refusal is `application/problem+json` with a `code` for programs and a `detail` for people.",
    "",
    "| code | status | meaning |",
    "|---|---|---|",
    ...(Object.keys(apiErrors) as ErrorCode[]).map(
      (code) => `| \`${code}\` | ${getStatuses(code).join(", ")} | ${apiErrors[code].meaning} |`,
    ),
    "",
    "## Schemas",
    "",
    ...Object.entries(schemas).flatMap(([name, schema]) => writeSchema(name, schema)),
  ].join("\n");
}

function writeTag(document: Document, tag: string, text: string): string[] {
  const routes = routeEntries.filter(([, route]) => route.tag === tag);
  return [
    `## ${tag}`,
    "",
    text,
    "",
    ...routes.flatMap(([key, route]) => {
      const { method, path } = splitKey(key);
      const template = path.replaceAll(/:(\w+)/g, "{$1}");
      const operation = document.paths[template]?.[method.toLowerCase()];
      return operation ? writeOperation(key, operation, route.errors ?? [], getRole(route)) : [];
    }),
  ];
}

function writeOperation(
  key: string,
  operation: Operation,
  codes: readonly ErrorCode[],
  role: string | undefined,
): string[] {
  const body = operation.requestBody?.content?.["application/json"]?.schema;
  const [status = "", success = {}] = Object.entries(operation.responses)[0] ?? [];
  const answer = success.content?.["application/json"]?.schema;
  const bytes = success.content && !answer;
  const parameters = operation.parameters.filter((each) => each.in !== "header");
  return [
    `### ${key}`,
    "",
    `**${operation.summary}.** ${operation.description}`,
    "",
    `- Name: \`${operation.operationId}\`; role: ${role ?? "none"}`,
    ...parameters.map(
      (each) =>
        `- \`${each.name}\` (${each.in}${each.required ? "" : ", optional"}): ${writeType(each.schema)}${each.description === undefined ? "" : `. ${each.description}`}`,
    ),
    ...(body ? [`- Body: ${writeType(body)}`] : []),
    `- Answer: ${status}${answer ? `, ${writeType(answer)}` : bytes ? ", bytes" : ""}`,
    ...(codes.length > 0 ? [`- Errors: ${codes.map((code) => `\`${code}\``).join(", ")}`] : []),
    "",
  ];
}

function writeSocket(socket: Socket, schemas: Readonly<Record<string, Schema>>): string[] {
  const { name, path, protocol, version, description, received, sent } = socket;
  return [
    `### ${name}: ${path}`,
    "",
    `Subprotocol \`${protocol}\`, version ${version}. ${description}`,
    "",
    "Sent to the hub:",
    "",
    ...writeFrames(received, schemas),
    "Sent by the hub:",
    "",
    ...writeFrames(sent, schemas),
  ];
}

function writeFrames(union: Schema, schemas: Readonly<Record<string, Schema>>): string[] {
  const frames = resolve(union, schemas);
  const rows = (frames.oneOf ?? frames.anyOf ?? []).map((frame) => {
    const { type, ...fields } = frame.properties ?? {};
    const names = Object.entries(fields).map(([name, field]) => {
      const isOptional = !frame.required?.includes(name);
      return `\`${name}${isOptional ? "?" : ""}\`: ${writeType(field)}`;
    });
    const meaning = frame.description ?? "";
    return `| \`${String(type?.const)}\` | ${names.join("; ") || "–"} | ${cell(meaning)} |`;
  });
  return ["| frame | fields | meaning |", "|---|---|---|", ...rows, ""];
}

function writeSchema(name: string, schema: Schema): string[] {
  const head = [`### ${name}`, "", ...(schema.description ? [schema.description, ""] : [])];
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (alternatives) {
    return [...head, ...alternatives.map((each) => `- ${writeAlternative(each)}`), ""];
  }
  if (!schema.properties) return [...head, writeType({ ...schema }), ""];
  return [
    ...head,
    "| field | type | meaning |",
    "|---|---|---|",
    ...Object.entries(schema.properties).map(([field, each]) => {
      const optional = schema.required?.includes(field) ? "" : "?";
      return `| \`${field}${optional}\` | ${writeType(each)} | ${cell(each.description ?? "")} |`;
    }),
    "",
  ];
}

function writeAlternative(schema: Schema): string {
  const text = schema.description ? ` ${schema.description}` : "";
  return `${writeType(schema)}${text}`;
}

/** A type on one line. */
function writeType(schema: Schema): string {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split("/").at(-1) ?? "";
    return `[${name}](#${name.toLowerCase()})`;
  }
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum) return schema.enum.map((each) => `\`${JSON.stringify(each)}\``).join(" or ");
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (alternatives) return alternatives.map(writeType).join(" or ");
  if (schema.type === "array") return `list of ${writeType(schema.items ?? {})}`;
  if (schema.properties && Object.keys(schema.properties).length > 0) {
    const fields = Object.entries(schema.properties).map(([name, field]) => {
      const optional = schema.required?.includes(name) ? "" : "?";
      return `${name}${optional}: ${writeType(field)}`;
    });
    return `{ ${fields.join(", ")} }`;
  }
  if (typeof schema.additionalProperties === "object") {
    return `map of ${writeType(schema.additionalProperties)}`;
  }
  if (schema.type === undefined) return "any";
  const type = typeof schema.type === "string" ? schema.type : schema.type.join(" or ");
  return schema.format === undefined ? type : `${type} (${schema.format})`;
}

function resolve(schema: Schema, schemas: Readonly<Record<string, Schema>>): Schema {
  const name = schema.$ref?.split("/").at(-1);
  return name === undefined ? schema : (schemas[name] ?? schema);
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}
