import { COMMAND_HEADER, problem } from "@signalbox/api";
import * as z from "zod";
import { paramSchemas, type Route } from "./route.ts";

/** The routes as OpenAPI 3.1, from the schemas that check them. */
export function openApi(routes: readonly Route[], version: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Signalbox hub",
      version,
      description:
        "What is live comes over the WebSocket /api/stream, opened with a ticket; see packages/api/src/schemas/stream.ts. Answers may have more fields than are described. A body's field that is not described is refused by name where passing it over could let more happen than was meant (`additionalProperties: false`: sessions, their changes, answers, agents, pairings), and passed over elsewhere (messages, finding the hub, being let in), so that a newer client can talk to an older hub.",
    },
    paths,
    components: {
      securitySchemes: { device: { type: "http", scheme: "bearer" } },
      schemas: { Problem: jsonSchema(problem, "output") },
    },
  };
}

function operationOf(route: Route): object {
  const status = String(route.status ?? 200);
  return {
    operationId: `${route.method.toLowerCase()}${route.path.replaceAll(/[^A-Za-z]+/g, "_")}`,
    summary: route.summary,
    ...(route.role === "open"
      ? { security: [] }
      : { security: [{ device: [] }], "x-role": route.role }),
    parameters: [...pathParameters(route), ...queryParameters(route), ...commandHeader(route)],
    ...(route.body && {
      requestBody: { required: true, content: json(jsonSchema(route.body, "input")) },
    }),
    responses: {
      [status]: { description: route.summary, ...contentOf(route) },
      default: {
        description: "A refusal, and what to do about it",
        content: {
          "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } },
        },
      },
    },
  };
}

function contentOf({ response }: Route): object {
  if (response === "nothing") return {};
  if (response === "bytes") return { content: { "application/octet-stream": {} } };
  return { content: json(jsonSchema(response, "output")) };
}

function pathParameters({ path }: Route): object[] {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
  return names.map((name) => {
    const schema = paramSchemas[name as keyof typeof paramSchemas];
    return { name, in: "path", required: true, schema: jsonSchema(schema, "input") };
  });
}

function queryParameters({ query }: Route): object[] {
  if (!query) return [];
  const schema = jsonSchema(query, "output") as { properties?: Record<string, object> };
  return Object.entries(schema.properties ?? {}).map(([name, schema]) => ({
    name,
    in: "query",
    required: false,
    schema,
  }));
}

function commandHeader({ command }: Route): object[] {
  if (!command) return [];
  return [
    {
      name: COMMAND_HEADER,
      in: "header",
      required: true,
      description: "An id of the client's making: the same twice runs once.",
      schema: { type: "string", format: "uuid" },
    },
  ];
}

function json(schema: object): object {
  return { "application/json": { schema } };
}

function jsonSchema(schema: z.ZodType, io: "input" | "output"): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return rest;
}
