import * as z from "zod";
import { isolationProfiles } from "../constants.ts";
import { shownName } from "./shown-name.ts";

/*
 * What comes in: a field that is not known here may be a newer client's. It is refused by name
 * (`strictObject`) where passing it over could let more happen than was meant: in sessions and their
 * changes, answers, agents, pairings. It is passed over (`object`) where it cannot: in messages, in
 * finding a hub and in being let in, so that an older hub locks no newer client out.
 */

/** Ids of ours: made at random, never guessed, and safe in paths and file names. */
export const id = z.uuid();
/** What becomes an argument of a program, or a line on a screen, ends at a NUL. */
const hasNoNul = (text: string) => !text.includes("\0");
const NO_NUL = "must not hold a NUL character";
const name = shownName(200);
/** An argument of a program. */
export const argument = z.string().max(100_000).refine(hasNoNul, NO_NUL);
export const path = z.string().min(1).max(4096);

export const policyName = z.enum(["supervised", "default", "accept-edits", "plan", "autonomous"]);
export type PolicyName = z.infer<typeof policyName>;

/**
 * How far an agent is kept away from the rest of the machine. `default`: it does not see Signalbox's own
 * data or any process outside of its run. `no-network`: it also reaches nothing but its model.
 * `write-here-only`: it also writes nowhere but in its folders, temporary folders and its own
 * configuration. `off`: as any other program of the user's.
 */
export const isolationProfile = z.enum(isolationProfiles);

/** By which a person knows a session again at a glance; its name always stands beside it. */
export const sessionColour = z.enum([
  "red",
  "orange",
  "olive",
  "green",
  "teal",
  "blue",
  "violet",
  "pink",
]);
export type SessionColour = z.infer<typeof sessionColour>;

/** A person was told what `autonomous` means and wants it: without it that policy is refused. */
const confirmed = z
  .literal(true)
  .optional()
  .describe(
    "Needed for the policy autonomous, under which the agent asks for nothing: a person was told so and wants it.",
  );

const mcpServer = z.union([
  z.strictObject({
    type: z.literal("stdio").optional(),
    command: z.string().min(1),
    args: z.array(z.string()).optional(),
    env: z.record(z.string(), z.string()).optional(),
  }),
  z.strictObject({
    type: z.enum(["sse", "http"]),
    url: z.url(),
    headers: z.record(z.string(), z.string()).optional(),
  }),
]);

export const image = z.object({
  /** Base64. What it is, is read off its bytes. */
  data: z.base64().max(7_000_000),
  name: z.string().max(200).optional(),
});

/** A message to the agent. `now`: into the running turn; otherwise after it. */
export const newPrompt = z.object({
  text: z.string().max(20_000_000),
  images: z.array(image).max(20).optional(),
  now: z.boolean().optional(),
});
export type NewPrompt = z.infer<typeof newPrompt>;

/** What a session is made with. Only the folder is needed. */
export const newSession = z.strictObject({
  folder: path,
  title: name.optional(),
  /** The name of an agent of the settings. */
  agent: name.optional(),
  driver: name.optional(),
  /** The runner, and so the machine, it runs on; the hub's own unless said otherwise. */
  runner: id.optional(),
  model: name.optional(),
  mode: name.optional(),
  effort: name.optional(),
  policy: policyName.optional(),
  /** `default` unless said; `off` takes an approver. */
  isolation: isolationProfile.optional(),
  /** A branch: the session works in a worktree of the folder's repository, made for it beside that. */
  worktree: name.optional(),
  addDirs: z.array(path).max(50).optional(),
  mcpServers: z.record(name, mcpServer).optional(),
  /** The name of an environment profile of the settings. */
  environment: name.optional(),
  /** How long an ask waits for a person before it is denied; without it, for ever. */
  askLimitMinutes: z.number().positive().max(100_000).optional(),
  /** How long the policy `autonomous` holds; then it is `default` again. Eight hours unless said. */
  bypassMinutes: z.number().positive().max(10_080).optional(),
  confirmed,
  prompt: newPrompt.optional(),
});
export type NewSession = z.infer<typeof newSession>;

/** What can be changed of a session afterwards. */
export const sessionChange = z.strictObject({
  title: name.optional(),
  pinned: z.boolean().optional(),
  archived: z.boolean().optional(),
  colour: sessionColour.optional(),
  policy: policyName.optional(),
  bypassMinutes: z.number().positive().max(10_080).optional(),
  confirmed,
  /** How its next run talks to the agent; a run that lives goes on as it began. */
  driver: name.optional(),
  /** How its next run is isolated; a run that lives goes on as it began. */
  isolation: isolationProfile.optional(),
});
export type SessionChange = z.infer<typeof sessionChange>;

/** A message that the agent is not known to have yet. */
export const queuedPrompt = z.object({
  id,
  /** Whole up to `BODY_LIMIT`, else its beginning: views go to everybody, again and again. */
  text: z.string(),
  /** …of so many in all. */
  characters: z.number(),
  images: z.number(),
  now: z.boolean(),
  /** `waiting`: for the turn's end or for a run; `sent`: to the agent, which has not shown that it arrived. */
  status: z.enum(["waiting", "sent"]),
  at: z.number(),
});
export type QueuedPrompt = z.infer<typeof queuedPrompt>;

/** The agent's process, as far as the session has one. */
export const sessionState = z.enum([
  "new", // no run yet
  "starting",
  "running",
  "parked", // no process, on purpose; wakes with the next message
  "stopped", // on a person's word
  "crashed", // it died or could not be started; `problem` says why
  "unreachable", // its runner is away
]);
export type SessionState = z.infer<typeof sessionState>;

/** Whether a run's agent is isolated, by what, and if not, why not. */
export const isolationState = z.object({
  profile: isolationProfile,
  isolated: z.boolean(),
  by: z.string().optional(),
  why: z.string().optional(),
});
export type IsolationState = z.infer<typeof isolationState>;

/**
 * Of a session whose folder brings code. `restart`: it is trusted by now, and counts from the next run on.
 * `ends`: it was revoked, and counts until this run ends.
 */
export const sessionTrust = z.object({
  state: z.enum(["off", "kept-off", "trusted", "changed", "restart", "ends"]),
  findings: z.number(),
});
export type SessionTrust = z.infer<typeof sessionTrust>;

/** How a run was started, as far as the folder's own code is concerned. */
export const runTrust = z.object({
  state: z.enum(["none", "trusted", "off", "changed"]),
  hash: z.string(),
  findings: z.number(),
});
export type RunTrust = z.infer<typeof runTrust>;

/** Which program a run talks to, and what it can do. */
export const runFacts = z.object({
  run: id,
  driver: z.string(),
  path: z.string(),
  version: z.string(),
  versionClass: z.string(),
  capabilities: z.record(z.string(), z.boolean()),
  leftOut: z.array(z.object({ option: z.string(), why: z.string() })),
  /** Missing: the agent was started by somebody else, or by a runner that does not isolate. */
  isolation: isolationState.optional(),
  /** Whether the folder's own code counts in it. */
  trust: runTrust.optional(),
  startedAt: z.number(),
});
export type RunFacts = z.infer<typeof runFacts>;

/** How a run ended. `exitCode` and `signal` are both null where nobody saw its process leave. */
export const runEndView = z.object({
  status: z.enum(["ended", "parked", "crashed"]),
  exitCode: z.number().nullable(),
  signal: z.string().nullable(),
});
export type RunEndView = z.infer<typeof runEndView>;

/** A session at a glance. `summary` is the timeline's `Summary`. */
export const sessionView = z.object({
  id,
  folder: z.string(),
  title: z.string(),
  /** A person gave the title: the first prompt does not change it. */
  named: z.boolean(),
  agent: z.string(),
  driver: z.string(),
  runner: z.string(),
  policy: policyName,
  /** Until when `autonomous` holds, in milliseconds. */
  bypassUntil: z.number().optional(),
  pinned: z.boolean(),
  archived: z.boolean(),
  /** A person's choice; until there is one, by its id. */
  colour: sessionColour,
  createdAt: z.number(),
  changedAt: z.number(),
  state: sessionState,
  /** Why it does not run, in a sentence for a person. */
  problem: z.string().optional(),
  /** Since when the agent, in the middle of a turn, has said nothing. */
  silentSince: z.number().optional(),
  run: runFacts.optional(),
  /** How the last run ended, until the next one begins. */
  runEnd: runEndView.optional(),
  /** Whether the code that its folder brings counts; absent: it brings none, or nobody has looked yet. */
  trust: sessionTrust.optional(),
  /** Of an agent that dials in: whether it is connected, and since when it is, or is not. */
  dialled: z.object({ connected: z.boolean(), since: z.number() }).optional(),
  options: newSession.omit({ prompt: true, mcpServers: true, confirmed: true }).partial(),
  forkOf: id.optional(),
  queue: z.array(queuedPrompt),
  openAsks: z.number(),
  rev: z.number(),
  summary: z.looseObject({ status: z.string() }),
});

/** Sessions of one folder. */
export const projectView = z.object({
  folder: z.string(),
  name: z.string(),
  runner: z.string(),
  sessions: z.number(),
  working: z.number(),
  waiting: z.number(),
});
export type ProjectView = z.infer<typeof projectView>;
