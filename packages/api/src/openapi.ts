import { COMMAND_HEADER } from "./constants.ts";
import { JsonSchemas } from "./json-schemas.ts";
import { type ErrorCode, apiErrors, getStatuses, listErrors } from "./routes/errors.ts";
import { routeEntries } from "./routes/index.ts";
import { pathParameters } from "./routes/parameters.ts";
import { getRole, pathParameterNames, type Route, splitKey } from "./routes/route.ts";
import { apiTags } from "./routes/tags.ts";
import { problemDetails } from "./schemas/http.ts";
import { describeSockets } from "./sockets.ts";

interface OpenApiDocument {
  readonly openapi: string;
  readonly [field: string]: unknown;
}

const description = `The HTTP API of a Signalbox hub.

Every request is signed with a device's key, or carries a program's token as bearer. What is live comes over the WebSocket \`/api/stream\`, which a ticket of \`POST /api/tickets\` opens.

A command carries an id of the client's making in the header \`${COMMAND_HEADER}\`: the same id twice runs once, and is answered the same.

Answers may have more fields than are described. A field of a body that is not described is refused by name where ignoring it could let more happen than was meant (\`additionalProperties: false\`), and ignored elsewhere, so that a newer client can talk to an older hub.

What a runner refuses is answered with status 409 (403 for a folder that is not allowed) and the runner's own code.`;

/** Builds the OpenAPI 3.1 document of the contract. */
export function describeApi(version: string): OpenApiDocument {
  const schemas = new JsonSchemas();
  const paths: Record<string, Record<string, object>> = {};
  for (const [key, route] of routeEntries) {
    const { method, path } = splitKey(key);
    const template = path.replaceAll(/:(\w+)/g, "{$1}");
    const operation = describeOperation(key, route, schemas);
    paths[template] = { ...paths[template], [method.toLowerCase()]: operation };
  }
  const sockets = describeSockets(schemas);
  return schemas.finish({
    openapi: "3.1.0",
    info: {
      title: "Signalbox hub",
      version,
      description,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/", description: "The hub that answered with this description." }],
    tags: Object.entries(apiTags).map(([name, text]) => ({ name, description: text })),
    paths,
    components: {
      securitySchemes: {
        signature: {
          type: "apiKey",
          in: "header",
          name: "Authorization",
          description:
            "`Signalbox DEVICE.NONCE.COUNT.DIGEST.SIGNATURE`: the device's signature of method, path and body, with a nonce of `POST /api/identity`.",
        },
        token: {
          type: "http",
          scheme: "bearer",
          description: "The token of a program that cannot sign (`POST /api/tokens`).",
        },
      },
      schemas: schemas.used,
    },
    "x-websockets": sockets,
  });
}

function describeOperation(key: string, route: Route, schemas: JsonSchemas): object {
  const { path } = splitKey(key);
  const role = getRole(route);
  const body = "body" in route ? route.body : undefined;
  return {
    operationId: route.name,
    tags: [route.tag],
    summary: route.summary,
    description: describeRoute(route),
    security: role === undefined ? [] : [{ signature: [] }, { token: [] }],
    ...(role !== undefined && { "x-role": role }),
    parameters: [
      ...describePath(path, schemas),
      ...describeQuery(route, schemas),
      ...commandHeader(route),
    ],
    ...(body && {
      requestBody: {
        required: !body.safeParse(undefined).success,
        content: { "application/json": { schema: schemas.get(body, "input") } },
      },
    }),
    responses: {
      [String(route.status ?? 200)]: describeSuccess(route, schemas),
      ...describeErrors(listErrors(key, route), schemas),
    },
  };
}

/** Describes a route and the role it needs, in sentences. */
function describeRoute(route: Route): string {
  const role = getRole(route);
  const roleText = role === undefined ? "Needs no credential." : `Needs the role ${role} or above.`;
  return [route.description, roleText].filter((text) => text !== undefined).join(" ");
}

function describeSuccess(route: Route, schemas: JsonSchemas): object {
  const { response } = route;
  if (response === "nothing") return { description: "Done." };
  if (response === "bytes") {
    return {
      description: "The bytes.",
      content: { "application/octet-stream": { schema: { type: "string", format: "binary" } } },
    };
  }
  const schema = schemas.get(response, "output");
  return { description: "Success.", content: { "application/json": { schema } } };
}

function describeErrors(codes: readonly ErrorCode[], schemas: JsonSchemas): object {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    for (const status of getStatuses(code)) {
      byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
    }
  }
  const schema = schemas.get(problemDetails, "output");
  const content = { "application/problem+json": { schema } };
  const entries = [...byStatus].toSorted(([a], [b]) => a - b);
  return Object.fromEntries(
    entries.map(([status, list]) => {
      const lines = list.map((code) => `- \`${code}\`: ${apiErrors[code].meaning}`);
      return [String(status), { description: lines.join("\n"), content }];
    }),
  );
}

function describePath(path: string, schemas: JsonSchemas): object[] {
  return pathParameterNames(path).map((name) => {
    const schema = pathParameters[name as keyof typeof pathParameters];
    const { description: text, ...rest } = schemas.get(schema, "input");
    return { name, in: "path", required: true, description: text, schema: rest };
  });
}

function describeQuery({ query }: Route, schemas: JsonSchemas): object[] {
  if (!query) return [];
  // Query parameters are described by the value they are parsed to: a number, not a string of
  // digits.
  const { properties = {} } = schemas.get(query, "output") as { properties?: object };
  const sent = schemas.get(query, "input") as { required?: readonly string[] };
  return Object.entries(properties as Record<string, Record<string, unknown>>).map(
    ([name, { description: text, ...schema }]) => ({
      name,
      in: "query",
      required: sent.required?.includes(name) ?? false,
      ...(text !== undefined && { description: text }),
      schema,
    }),
  );
}

function commandHeader({ kind }: Route): object[] {
  if (kind !== "command") return [];
  return [
    {
      name: COMMAND_HEADER,
      in: "header",
      required: true,
      description: "The id of the command, made by the client: the same id twice runs once.",
      schema: { type: "string", format: "uuid" },
    },
  ];
}
