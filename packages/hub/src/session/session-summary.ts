import { toPlainName } from "@signalbox/protocol/text";
import { basename } from "node:path";
import type { QueuedPrompt, RunFacts, SessionState, SessionSummary } from "@signalbox/api";
import { BODY_LIMIT } from "@signalbox/api/constants";
import type { Summary } from "@signalbox/timeline";
import { createOlderRunnerRefusal } from "../link/runner-link.ts";
import type { PromptRow, SessionRow } from "../store/store.ts";
import { readContext } from "./prompt-context.ts";
import { getChosenOptions } from "./session-options.ts";
import { pickColor } from "./session-color.ts";

/** The parts of a session's summary that are not in its row. */
interface SummarySource {
  readonly summary: Summary;
  readonly rev: number;
  readonly prompts: readonly PromptRow[];
  readonly openAsks: number;
  readonly run: RunFacts | undefined;
  readonly runnerOnline: boolean;
  /** Set if the session's runner is of the previous version, which starts no agents. */
  readonly olderRunner: { readonly own: boolean } | undefined;
  readonly silentSince: number | undefined;
  readonly dialled: SessionSummary["dialled"];
  readonly trust: SessionSummary["trust"];
  readonly transcript: SessionSummary["transcript"];
  /** When Claude Code's own file of the session was last written. */
  readonly writtenAt: number | undefined;
}

export function createSessionSummary(row: SessionRow, facts: SummarySource): SessionSummary {
  const { summary, rev, run, silentSince, dialled, trust, transcript, writtenAt } = facts;
  const problem = row.problem ?? getRunnerProblem(row, facts);
  const { changedInRun } = row.options;
  // The board goes to everybody again and again, so that it has the short options alone.
  const {
    mcpServers: _m,
    variables: _v,
    systemPrompt: _p,
    jsonSchema: _j,
    ...options
  } = getChosenOptions(row);
  return {
    id: row.id,
    folder: row.folder,
    title: getTitle(row, summary),
    named: row.named,
    agent: row.agent,
    driver: row.driver,
    runner: row.runner,
    policy: row.policy,
    ...(row.bypassUntil !== null && { bypassUntil: row.bypassUntil }),
    pinned: row.pinned,
    archived: row.archived,
    labels: [...row.labels],
    ...(row.snoozedUntil !== null && { snoozedUntil: row.snoozedUntil }),
    ...(row.trashedAt !== null && { trashedAt: row.trashedAt }),
    colour: row.colour ?? pickColor(row.id),
    createdAt: row.createdAt,
    changedAt: summary.lastActivityAt ?? (transcript && writtenAt) ?? row.createdAt,
    state: getShownState(row, facts),
    ...(problem !== null && { problem }),
    ...(silentSince !== undefined && { silentSince }),
    ...(run && { run }),
    ...(summary.runEnd && { runEnd: summary.runEnd }),
    ...(dialled && { dialled }),
    ...(trust && { trust }),
    options,
    ...(isAlive(row) && changedInRun === row.run && { optionsPending: true }),
    ...(transcript && { transcript }),
    ...(row.options.switchTo && { switchingTo: row.options.switchTo.driver }),
    ...(row.forkOf !== null && { forkOf: row.forkOf }),
    queue: facts.prompts.map(toQueuedPrompt),
    openAsks: facts.openAsks,
    rev,
    summary,
  };
}

export function isAlive(row: Pick<SessionRow, "state">): boolean {
  return row.state === "starting" || row.state === "running";
}

function getShownState(row: SessionRow, { runnerOnline }: SummarySource): SessionState {
  return isAlive(row) && !runnerOnline ? "unreachable" : (row.state as SessionState);
}

function getRunnerProblem(row: SessionRow, facts: SummarySource): string | null {
  const { prompts, runnerOnline, olderRunner } = facts;
  if (isAlive(row) || prompts.length === 0) return null;
  if (olderRunner) return createOlderRunnerRefusal(olderRunner.own).message;
  if (runnerOnline) return null;
  return "The runner of this session is not connected. Your messages are sent when it is back.";
}

/** The name that a person or the agent gave, else the first message, else the folder if it is known. */
function getTitle(row: SessionRow, summary: Summary): string {
  const given = toPlainName(row.title) || toPlainName(summary.title ?? "");
  if (given !== "") return given;
  if (row.driver === "relay" && row.folder === "/") return "An agent that dialed in";
  return toPlainName(basename(row.folder)) || row.folder;
}

export function toQueuedPrompt(row: PromptRow): QueuedPrompt {
  const { id, now, at } = row;
  const characters = row.text.length;
  const text = row.text.slice(0, BODY_LIMIT);
  const images = (JSON.parse(row.images) as unknown[]).length;
  const contextTitle = readContext(row)?.title;
  return {
    id,
    text,
    characters,
    images,
    ...(contextTitle !== undefined && { contextTitle }),
    now,
    status: row.sentTo === null ? "waiting" : "sent",
    at,
  };
}
