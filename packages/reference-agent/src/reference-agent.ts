import { recallFiles } from "./tools/recall-files.ts";
import { rm } from "node:fs/promises";
import type { Agent, AgentContext, InitializeRequest } from "@signalbox/agent";
import { readDefinitions } from "./commands/definitions.ts";
import { chooseMainAgent } from "./commands/main-agent.ts";
import { describe } from "./describe.ts";
import { getEntries, tokensAfter } from "./model/conversation.ts";
import { restoreCosts, storedCosts } from "./model/stored-costs.ts";
import { firstPrompt, sessionStart, startRemarks } from "./hooks/session-start.ts";
import { areOff } from "./hooks/settings-hooks.ts";
import { openSession } from "./open-session.ts";
import type { Session } from "./session.ts";
import { createResumePrompt } from "./turn/resume-prompt.ts";
import { findReportedFolder } from "./turn/folder-note.ts";

// The modules that only turns and requests need are loaded after the host has its first answer.
const turns = () => import("./turn/turn.ts");
const controls = () => import("./control.ts");

/** Creates the complete agent: model, tools, permissions and hooks, behind the kit's interface. */
export async function createReferenceAgent(context: AgentContext): Promise<Agent> {
  const session = openSession(context);
  await start(session);
  return {
    async initialize(request) {
      await takeInitialize(session, request);
    },
    describe: async () => describe(session),
    async restore(conversation) {
      session.conversation.push(...getEntries(conversation));
      session.tokensInWindow = tokensAfter(conversation);
      session.announcedFolder = findReportedFolder(session.conversation, session);
      await recallFiles(session.files, conversation);
      if (context.costs) restoreCosts(session.ledger, context.costs);
    },
    waitUntilReady: () => session.mcp.ready(),
    async turn(turn) {
      const before = session.ledger.costUsd;
      const end = await (await turns()).runTurn(session, turn);
      if (session.ledger.costUsd !== before) context.storeCosts(storedCosts(session.ledger));
      return end;
    },
    waitUntilIdle: () => backgroundAgents(session),
    waitUntilSettled: () => (context.options.print ? background(session) : undefined),
    onInterrupt: () => session.tasks.stopAgents(),
    control: async (request, signal) => (await controls()).answerControl(session, request, signal),
    authStatus: () => session.credentials.status,
    async close() {
      await backgroundAgents(session); // Everything else that is still running is stopped.
      session.tasks.stopAll();
      session.mcp.close();
      await session.hooks.run("SessionEnd", { reason: "other" }, { subject: "other" });
      await rm(session.ownFolder, { recursive: true, force: true });
    },
  };
}

/** Reads what the folders define, and runs SessionStart hooks. */
async function start(session: Session): Promise<void> {
  await readDefinitions(session);
  chooseMainAgent(session);
  void session.credentials.get(); // A slow helper only delays the model.
  sayHooksOff(session);
  const facts = sessionStart(session);
  const about = { subject: facts.source };
  const outcome = await session.hooks.run("SessionStart", facts, about);
  session.startContexts.push(...startRemarks(outcome, facts.source));
  if (session.deferred) session.context.requestTurn(createResumePrompt());
  if (outcome.firstPrompt !== undefined)
    session.context.requestTurn(firstPrompt(outcome.firstPrompt));
}

/**
 * Tells hosts that let plugins draw to redraw when no hooks are active. Claude Code tells all
 * hosts.
 */
function sayHooksOff(session: Session): void {
  const { settings, context } = session;
  if (context.options.outputFormat !== "stream-json" || !areOff(settings)) return;
  session.say({ type: "system", subtype: "ui_invalidate", event: "ui.render" });
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
  session.announcedCommands = JSON.stringify(describe(session).initialize?.["commands"]);
  void session.mcp.ready();
  setImmediate(() => {
    session.model.warmUp();
    void turns();
  });
}

const LONGEST_MS = 30 * 60_000;

/**
 * Resolves when everything in the background now has ended, or after half an hour, because a
 * command may never end.
 */
function background({ tasks }: Session): Promise<unknown> | undefined {
  if (tasks.running.length === 0) return undefined;
  const late = setTimeout(() => tasks.stopAll(), LONGEST_MS);
  return Promise.all(tasks.running.map(({ ended }) => ended)).finally(() => clearTimeout(late));
}

/** Resolves when all agents in the background now have ended; undefined if there are none. */
function backgroundAgents(session: Session): Promise<unknown> | undefined {
  const agents = session.tasks.running.filter(({ type }) => type === "local_agent");
  return agents.length === 0 ? undefined : Promise.all(agents.map(({ ended }) => ended));
}
