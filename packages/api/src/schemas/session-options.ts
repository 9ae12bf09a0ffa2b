import * as z from "zod";
import { isolationProfiles } from "../constants.ts";
import { answerSchema } from "./json-schema.ts";
import { shownName } from "./shown-name.ts";
import { filePath, programArgument, uuidText, variableName, visibleValue } from "./values.ts";

const name = shownName(200);

export const policyName = z.enum(["supervised", "default", "accept-edits", "plan", "autonomous"]);
export type PolicyName = z.infer<typeof policyName>;

export const isolationProfile = z
  .enum(isolationProfiles)
  .describe(
    "How far an agent is kept away from the rest of the machine. `default`: it does not see Signalbox's own data or any process outside of its run. `no-network`: it also reaches nothing but its model. `write-here-only`: it also writes nowhere but in its folders, temporary folders and its own configuration. `off`: as any other program of the user's.",
  );

/** How an MCP server is reached. `values` are its variables or headers, which may hold secrets. */
function createMcpServerSchema<Value extends z.ZodType>(value: Value) {
  const values = z.record(z.string(), value).exactOptional();
  return z.union([
    z.strictObject({
      type: z.literal("stdio").exactOptional(),
      command: z.string().min(1),
      args: z.array(z.string()).exactOptional(),
      env: values,
    }),
    z.strictObject({
      type: z.enum(["sse", "http"]),
      url: z.url({ protocol: /^https?$/, error: "must be a URL with http or https" }),
      headers: values,
    }),
  ]);
}

/** An MCP server as an agent is started with it. */
export const mcpServerConfig = createMcpServerSchema(z.string());
export type McpServerConfig = z.infer<typeof mcpServerConfig>;

export const mcpServerOption = createMcpServerSchema(programArgument.nullable()).describe(
  "An MCP server: a command, or a URL with `sse` or `http`. The values of `env` and `headers` are secrets: they are never returned, and null keeps the stored one.",
);
export type McpServerOption = z.infer<typeof mcpServerOption>;

export const systemPrompt = z
  .strictObject({
    mode: z
      .enum(["append", "replace"])
      .describe("`append`: added to the agent's own system prompt. `replace`: in its place."),
    text: programArgument.min(1),
  })
  .describe("Instructions for the whole session.");
export type SystemPrompt = z.infer<typeof systemPrompt>;

/** What the agent of a session is started with. A project can have defaults for these options. */
export const sessionOptionFields = {
  agent: name.optional().describe("The name of an agent of the settings."),
  driver: name.optional(),
  model: name.optional(),
  fallbackModel: name
    .optional()
    .describe("The model that answers while the first one is overloaded."),
  mode: name.optional(),
  effort: name.optional().describe("`low`, `medium`, `high`, `xhigh` or `max`."),
  policy: policyName.optional(),
  isolation: isolationProfile
    .optional()
    .describe("`default` unless said; `off` takes an approver."),
  addDirs: z.array(filePath).max(50).optional(),
  mcpServers: z.record(name, mcpServerOption).optional(),
  environment: name.optional().describe("The name of an environment profile of the settings."),
  variables: z
    .record(variableName, z.union([programArgument, visibleValue, z.null()]))
    .optional()
    .describe(
      "Environment variables beside those of the profile, and stronger than they. A string is a secret, which is never returned; `{ value }` is returned. Null keeps the stored value.",
    ),
  systemPrompt: systemPrompt.optional(),
  maxTurns: z
    .int()
    .min(1)
    .max(100_000)
    .optional()
    .describe("How often the agent may call its model for one message; then the turn ends."),
  maxBudgetUsd: z
    .number()
    .positive()
    .max(1_000_000)
    .optional()
    .describe(
      "What the agent may spend, in US dollars, before it ends its turns; counted from each start of its process.",
    ),
  jsonSchema: answerSchema.optional(),
  askLimitMinutes: z
    .number()
    .positive()
    .max(100_000)
    .optional()
    .describe("How long an ask waits for a person before it is denied; without it, for ever."),
} as const;

/** The options of a session as they are returned: the values of secrets are null. */
export const sessionOptions = z
  .object(sessionOptionFields)
  .describe("What the agent of a session is started with. The values of secrets are null.");
export type SessionOptions = z.infer<typeof sessionOptions>;

const { policy: _, ...laterFields } = sessionOptionFields;

/** Each option, or null for what it is without it. */
function makeNullable<Fields extends Readonly<Record<string, z.ZodType>>>(fields: Fields) {
  const entries = Object.entries(fields).map(([key, field]) => [key, field.nullable()]);
  return Object.fromEntries(entries) as {
    readonly [Name in keyof Fields]: z.ZodNullable<Fields[Name]>;
  };
}

export const sessionOptionsChange = z
  .strictObject(makeNullable(laterFields))
  .describe(
    "The options of a session that change; the others stay. Null removes an option, so that the default counts. Within `variables`, and `env` and `headers` of an MCP server, null keeps the stored value.",
  );
export type SessionOptionsChange = z.infer<typeof sessionOptionsChange>;

/** Secrets belong to an environment profile: the defaults of a project are returned and backed up. */
const projectOptionFields = {
  ...sessionOptionFields,
  policy: policyName.exclude(["autonomous"]).optional(),
  mcpServers: z.record(name, createMcpServerSchema(z.never())).optional(),
  variables: z.record(variableName, visibleValue).optional(),
} as const;

export const sessionOptionName = z
  .enum(Object.keys(sessionOptionFields) as [keyof typeof sessionOptionFields])
  .describe("An option of a session.");

const projectPlace = {
  runner: uuidText.describe("The runner of the project's machine."),
  folder: filePath,
} as const;

export const projectOptions = z
  .object({ ...projectPlace, options: z.object(projectOptionFields) })
  .describe("The options that new sessions of a folder have by default.");
export type ProjectOptions = z.infer<typeof projectOptions>;

export const newProjectOptions = z
  .strictObject({
    ...projectPlace,
    runner: projectPlace.runner.optional(),
    options: z.strictObject(projectOptionFields).nullable(),
  })
  .describe(
    "The options that new sessions of a folder have by default; null for none. Without a runner, the folder is on the hub's machine. Secrets are not accepted: use an environment profile for them.",
  );
export type NewProjectOptions = z.infer<typeof newProjectOptions>;
