import { rm } from "node:fs/promises";
import type { JsonObject } from "@signalbox/protocol/wire";
import type { Agent, Birth, Description, InitializeRequest } from "../agent.ts";
import { builtIn, builtInPrompts } from "./commands/built-in.ts";
import { readDefinitions } from "./commands/definitions.ts";
import { chooseMainAgent } from "./commands/main-agent.ts";
import { entriesOf, tokensAfter } from "./model/conversation.ts";
import { sessionStart } from "./hooks/session-start.ts";
import { describeModels } from "./model/models.ts";
import { openSession } from "./open-session.ts";
import { sourceOf } from "./mcp/servers.ts";
import type { Session } from "./session.ts";

// What only turns and requests need is loaded when the host has its first answer.
const turns = () => import("./turn/turn.ts");
const controls = () => import("./control.ts");

/** The complete agent: a model, tools, permissions and hooks, behind the kit's contract. */
export async function makeReferenceAgent(birth: Birth): Promise<Agent> {
  const session = openSession(birth);
  await start(session);
  return {
    async initialize(request) {
      await takeInitialize(session, request);
    },
    describe: async () => describe(session),
    async restore(conversation) {
      session.conversation.push(...entriesOf(conversation));
      session.tokensInWindow = tokensAfter(conversation);
    },
    ready: () => session.mcp.ready(),
    turn: async (turn) => (await turns()).runTurn(session, turn),
    busy: () => backgroundAgents(session),
    settled: () => (birth.options.print ? background(session) : undefined),
    control: async (request) => (await controls()).answerControl(session, request),
    authStatus: () => session.credentials.status,
    async close() {
      await backgroundAgents(session); // what else goes on is ended
      session.tasks.stopAll();
      await session.hooks.run("SessionEnd", { reason: "other" }, { subject: "other" });
      session.mcp.close();
      await rm(session.ownFolder, { recursive: true, force: true });
    },
  };
}

/** Reads what the folders define, and runs SessionStart hooks. */
async function start(session: Session): Promise<void> {
  await readDefinitions(session);
  chooseMainAgent(session);
  const signingIn = session.credentials.get();
  const facts = sessionStart(session);
  const about = { subject: facts.source };
  const { contexts } = await session.hooks.run("SessionStart", facts, about);
  session.startContexts.push(
    ...contexts.map((text) => `SessionStart hook additional context: ${text}`),
  );
  await signingIn;
}

async function takeInitialize(session: Session, request: InitializeRequest): Promise<void> {
  const { hooks, sdkMcpServers, jsonSchema, systemPrompt, appendSystemPrompt, agents } = request;
  session.hostHooks = hooks ?? {};
  if (jsonSchema) session.jsonSchema = jsonSchema;
  if (systemPrompt !== undefined) {
    session.systemPrompt = typeof systemPrompt === "string" ? [systemPrompt] : systemPrompt;
  }
  if (typeof appendSystemPrompt === "string") session.appendSystemPrompt = appendSystemPrompt;
  if (request.forwardSubagentText === true) session.forwardsSubagentText = true;
  if (agents) {
    session.hostAgents = agents;
    await readDefinitions(session);
    chooseMainAgent(session);
  }
  const manifests = request.sdkMcpServerManifests ?? {};
  if (sdkMcpServers && sdkMcpServers.length > 0)
    session.mcp.addHostServers(sdkMcpServers, manifests);
  // Connecting needs the host to answer, which it does when it has our answer.
  setImmediate(() => {
    void session.mcp.ready();
    session.model.warmUp();
    void turns();
  });
}

function describe(session: Session): Description {
  const apiKeySource = session.credentials.source;
  const commands = [
    ...session.commands.map(shownCommand),
    ...[...builtIn, ...builtInPrompts].map((one) => ({ ...shownCommand(one), builtin: true })),
  ];
  return {
    initialize: {
      commands,
      agents: session.agents.map(({ type, description, model }) => ({
        name: type,
        description,
        ...(model === undefined ? {} : { model }),
      })),
      models: describeModels(),
      account: { tokenSource: "none", apiKeySource, apiProvider: "firstParty" },
      current_permission_mode: session.permission.mode,
      fast_mode_state: "off",
      session_state: "idle",
    },
    init: () =>
      initFields(
        session,
        commands.map(({ name }) => name),
        apiKeySource,
      ),
  };
}

const shownCommand = ({ name, description, argumentHint }: Shown): Shown => ({
  name,
  description,
  argumentHint,
});
interface Shown {
  readonly name: string;
  readonly description: string;
  readonly argumentHint: string;
}

async function initFields(
  session: Session,
  commands: string[],
  apiKeySource: string,
): Promise<JsonObject> {
  const { toolNames } = await import("./tools/all.ts");
  return {
    tools: toolNames(session),
    mcp_servers: session.mcp.all.map((server) => ({
      name: server.name,
      status: server.status,
      source: sourceOf(server),
    })),
    model: session.modelName,
    permissionMode: session.permission.mode,
    slash_commands: commands,
    apiKeySource,
    agents: session.agents.map(({ type }) => type),
    skills: session.commands.map(({ name }) => name),
    additional_directories: session.permission.addedFolders,
    fast_mode_state: "off",
  };
}

const LONGEST_MS = 30 * 60_000;

/** The end of all that runs in the background now, or half an hour: a command may never end. */
function background({ tasks }: Session): Promise<unknown> | undefined {
  if (tasks.running.length === 0) return undefined;
  const late = setTimeout(() => tasks.stopAll(), LONGEST_MS);
  return Promise.all(tasks.running.map(({ ended }) => ended)).finally(() => clearTimeout(late));
}

/** The end of all agents that work in the background now; nothing where there are none. */
function backgroundAgents(session: Session): Promise<unknown> | undefined {
  const agents = session.tasks.running.filter(({ type }) => type === "local_agent");
  return agents.length === 0 ? undefined : Promise.all(agents.map(({ ended }) => ended));
}
