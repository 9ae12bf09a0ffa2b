import type { Summary } from "@signalbox/timeline";
import * as z from "zod";
import { CONTEXT_LIMIT } from "../constants.ts";
import {
  isolationProfile,
  policyName,
  sessionOptionFields,
  sessionOptionName,
} from "./session-options.ts";
import { shownName } from "./shown-name.ts";
import { filePath, uuidText } from "./values.ts";

/*
 * A field in a request that is not known here may come from a newer client. It is refused by name
 * (`strictObject`) where ignoring it could allow more than the client wanted: in sessions and their
 * changes, answers, agents and pairings. It is ignored (`object`) where it could not: in messages,
 * and in routes that find the hub or open a connection, so that an older hub does not shut newer
 * clients out.
 */

const name = shownName(200);

export const sessionColor = z
  .enum(["red", "orange", "olive", "green", "teal", "blue", "violet", "pink"])
  .describe(
    "By which a person knows a session again at a glance; its name always stands beside it.",
  );
export type SessionColor = z.infer<typeof sessionColor>;

const confirmed = z
  .literal(true)
  .optional()
  .describe(
    "Needed for the policy autonomous, under which the agent asks for nothing: a person was told so and wants it.",
  );

export const promptImage = z.object({
  data: z
    .base64()
    .max(28_000_000)
    .describe("Base64 of a PNG, JPEG, GIF or WebP picture, or of a PDF. Its bytes say which."),
  name: z.string().max(200).optional(),
});

export const promptContext = z
  .strictObject({
    title: shownName(200).describe("What a person reads: the name of the view, say."),
    data: z
      .record(z.string(), z.unknown())
      .refine(
        (data) => JSON.stringify(data).length <= CONTEXT_LIMIT,
        `must not be longer than ${CONTEXT_LIMIT} characters as JSON`,
      )
      .describe(
        "What the program shows, such as `{view, selection}`. At most 32,768 characters as JSON.",
      ),
  })
  .describe(
    "Context that the program in which a message is written attaches to it. The agent receives it as text before the message.",
  );
export type PromptContext = z.infer<typeof promptContext>;

export const newPrompt = z
  .object({
    text: z.string().max(20_000_000),
    images: z.array(promptImage).max(20).optional(),
    context: promptContext.optional(),
    now: z.boolean().optional(),
  })
  .describe("A message to the agent. `now`: into the running turn; otherwise after it.");
export type NewPrompt = z.infer<typeof newPrompt>;

export const newSession = z
  .strictObject({
    folder: filePath,
    title: name.optional(),
    runner: uuidText
      .optional()
      .describe("The runner, and so the machine, it runs on; the hub's own unless said otherwise."),
    worktree: name
      .optional()
      .describe(
        "A branch: the session works in a worktree of the folder's repository, made for it beside that.",
      ),
    ...sessionOptionFields,
    withoutDefaults: z
      .array(sessionOptionName)
      .max(50)
      .optional()
      .describe("The options for which the project's defaults do not count."),
    bypassMinutes: z
      .number()
      .positive()
      .max(10_080)
      .optional()
      .describe(
        "How long the policy `autonomous` holds; then it is `default` again. Eight hours unless said.",
      ),
    confirmed,
    prompt: newPrompt.optional(),
  })
  .describe("What a session is made with. Only the folder is needed.");
export type NewSession = z.infer<typeof newSession>;

export const sessionChange = z
  .strictObject({
    title: name.optional(),
    pinned: z.boolean().optional(),
    archived: z.boolean().optional(),
    labels: z.array(shownName(40)).max(20).optional().describe("All labels of the session."),
    snoozedUntil: z
      .number()
      .nullable()
      .optional()
      .describe("Until when the session is out of sight, unless it needs a person; null: no more."),
    trashed: z
      .boolean()
      .optional()
      .describe(
        "True stops the session and moves it to the trash, where it is deleted after 30 days. False takes it out again.",
      ),
    colour: sessionColor.optional(),
    policy: policyName.optional(),
    bypassMinutes: z.number().positive().max(10_080).optional(),
    confirmed,
    driver: name
      .optional()
      .describe("How its next run talks to the agent; a run that lives goes on as it began."),
    isolation: isolationProfile
      .optional()
      .describe("How its next run is isolated; a run that lives goes on as it began."),
  })
  .describe("What can be changed of a session afterwards.");
export type SessionChange = z.infer<typeof sessionChange>;

export const sessionSwitch = z
  .strictObject({
    to: z.enum(["chat", "terminal"]),
    running: z
      .enum(["wait", "interrupt"])
      .exactOptional()
      .describe("What becomes of a turn that runs. Without it, a session at work is not moved."),
  })
  .describe("Where a session is to be shown: in chat, or in Claude Code's own terminal.");
export type SessionSwitch = z.infer<typeof sessionSwitch>;

export const queuedPrompt = z
  .object({
    id: uuidText,
    text: z
      .string()
      .describe(
        "Whole up to `BODY_LIMIT`, else its beginning: views go to everybody, again and again.",
      ),
    characters: z.number().describe("…of so many in all."),
    images: z.number(),
    contextTitle: z.string().optional().describe("The title of its context, if it has one."),
    now: z.boolean(),
    status: z
      .enum(["waiting", "sent"])
      .describe(
        "`waiting`: for the turn's end or for a run; `sent`: to the agent, which has not shown that it arrived.",
      ),
    at: z.number(),
  })
  .describe("A message that the agent is not known to have yet.");
export type QueuedPrompt = z.infer<typeof queuedPrompt>;

export const sessionState = z
  .enum([
    "new", // It has had no run yet.
    "starting",
    "running",
    // It has no process because it was stopped on purpose; it starts again with the next message.
    "parked",
    "stopped", // A person stopped it.
    "crashed", // it died or could not be started; `problem` says why
    "unreachable", // Its runner is not connected.
  ])
  .describe("The agent's process, as far as the session has one.");
export type SessionState = z.infer<typeof sessionState>;

export const isolationState = z
  .object({
    profile: isolationProfile,
    isolated: z.boolean(),
    by: z.string().optional(),
    why: z.string().optional(),
  })
  .describe("Whether a run's agent is isolated, by what, and if not, why not.");
export type IsolationState = z.infer<typeof isolationState>;

export const sessionTrust = z
  .object({
    state: z.enum(["off", "kept-off", "trusted", "changed", "restart", "ends"]),
    findings: z.number(),
  })
  .describe(
    "Of a session whose folder brings code. `restart`: it is trusted by now, and counts from the next run on. `ends`: it was revoked, and counts until this run ends.",
  );
export type SessionTrust = z.infer<typeof sessionTrust>;

export const runTrust = z
  .object({
    state: z.enum(["none", "trusted", "off", "changed"]),
    hash: z.string(),
    findings: z.number(),
  })
  .describe("How a run was started, as far as the folder's own code is concerned.");
export type RunTrust = z.infer<typeof runTrust>;

export const runFacts = z
  .object({
    run: uuidText,
    driver: z.string(),
    path: z.string(),
    version: z.string(),
    versionClass: z.string(),
    capabilities: z.record(z.string(), z.boolean()),
    leftOut: z.array(z.object({ option: z.string(), why: z.string() })),
    isolation: isolationState
      .optional()
      .describe(
        "Missing: the agent was started by somebody else, or by a runner that does not isolate.",
      ),
    trust: runTrust.optional().describe("Whether the folder's own code counts in it."),
    startedAt: z.number(),
  })
  .describe("Which program a run talks to, and what it can do.");
export type RunFacts = z.infer<typeof runFacts>;

export const runEndView = z
  .object({
    status: z.enum(["ended", "parked", "crashed"]),
    exitCode: z.number().nullable(),
    signal: z.string().nullable(),
  })
  .describe(
    "How a run ended. `exitCode` and `signal` are both null where nobody saw its process leave.",
  );
export type RunEndView = z.infer<typeof runEndView>;

export const sessionTranscript = z
  .object({
    isImported: z.boolean().describe("It was begun outside of Signalbox."),
    isCopied: z.boolean().describe("All of it is stored, and its file may be deleted."),
    isWrittenElsewhere: z
      .boolean()
      .describe("Claude Code writes it at the moment; it takes messages here once it is idle."),
    bytes: z.number(),
  })
  .describe("What Claude Code's own file of a session means for it.");
export type SessionTranscript = z.infer<typeof sessionTranscript>;

export const sessionView = z
  .object({
    id: uuidText,
    folder: z.string(),
    title: z.string(),
    named: z.boolean().describe("A person gave the title: the first prompt does not change it."),
    agent: z.string(),
    driver: z.string(),
    runner: z.string(),
    policy: policyName,
    bypassUntil: z.number().optional().describe("Until when `autonomous` holds, in milliseconds."),
    pinned: z.boolean(),
    archived: z.boolean(),
    labels: z.array(z.string()),
    snoozedUntil: z.number().optional().describe("It is out of sight until then."),
    trashedAt: z.number().optional().describe("Since when it is in the trash."),
    colour: sessionColor.describe("A person's choice; until there is one, by its id."),
    createdAt: z.number(),
    changedAt: z.number(),
    state: sessionState,
    problem: z.string().optional().describe("Why it does not run, in a sentence for a person."),
    silentSince: z
      .number()
      .optional()
      .describe("Since when the agent, in the middle of a turn, has said nothing."),
    run: runFacts.optional(),
    runEnd: runEndView.optional().describe("How the last run ended, until the next one begins."),
    trust: sessionTrust
      .optional()
      .describe(
        "Whether the code that its folder brings counts; absent: it brings none, or nobody has looked yet.",
      ),
    dialled: z
      .object({ connected: z.boolean(), since: z.number() })
      .optional()
      .describe(
        "Of an agent that dials in: whether it is connected, and since when it is, or is not.",
      ),
    options: newSession
      .omit({
        prompt: true,
        confirmed: true,
        mcpServers: true,
        variables: true,
        systemPrompt: true,
        jsonSchema: true,
      })
      .partial()
      .describe("The short ones; `GET /api/sessions/:session/options` has all."),
    optionsPending: z
      .boolean()
      .optional()
      .describe("Options were changed since the agent started: they apply when it starts again."),
    transcript: sessionTranscript
      .optional()
      .describe("Set if the session was found among those of Claude Code, or is written there."),
    switchingTo: z
      .string()
      .optional()
      .describe("The driver to which it goes when its turn is over."),
    forkOf: uuidText.optional(),
    queue: z.array(queuedPrompt),
    openAsks: z.number(),
    rev: z.number(),
    summary: z.looseObject({ status: z.string() }) as unknown as z.ZodType<Summary>,
  })
  .describe("A session at a glance. `summary` is the timeline's `Summary`.");
export type SessionSummary = z.infer<typeof sessionView>;

export const projectView = z
  .object({
    folder: z.string(),
    name: z.string(),
    runner: z.string(),
    sessions: z.number(),
    working: z.number(),
    waiting: z.number(),
    older: z
      .number()
      .optional()
      .describe("So many older sessions of Claude Code are not on the board: `GET /api/sessions`."),
    branch: z
      .string()
      .optional()
      .describe("The Git branch of the folder, once its machine has said it."),
  })
  .describe("Sessions of one folder.");
export type ProjectView = z.infer<typeof projectView>;
