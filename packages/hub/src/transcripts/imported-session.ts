import { createHash } from "node:crypto";
import { uuidText } from "@signalbox/api/schemas";
import type { ListedTranscript } from "@signalbox/api/link";
import { getPermissionFacts } from "../devices/audited-permissions.ts";
import { DEFAULT_AGENT } from "../services/settings.ts";
import { getDefaultPolicy } from "../session/driver-limits.ts";
import { Session, type SessionDeps } from "../session/session.ts";
import { createEmptySummary, type Sessions } from "../session/sessions.ts";
import { createTranscriptRow } from "../session/transcript-registry.ts";
import { createAuditChange } from "../store/audit-change.ts";
import type { Change, SessionRow, TranscriptRow } from "../store/store.ts";

interface ImportedSession {
  readonly session: Session;
  readonly transcript: TranscriptRow;
  readonly changes: readonly Change[];
}

/** Drivers may continue the session, so that it has no more freedom than one that a driver starts. */
const importer = { device: "hub", name: "the import", role: "driver" } as const;

/** Where a transcript was found. */
interface Origin {
  readonly runner: string;
  /** The folder of the configuration that agents on that machine use by themselves. */
  readonly usualFolder: string;
}

/** Makes the session of a transcript. It is parked: the next message continues Claude Code's conversation. */
export function createImportedSession(
  deps: SessionDeps,
  sessions: Sessions,
  listed: ListedTranscript & { readonly folder: string },
  { runner, usualFolder }: Origin,
): ImportedSession {
  const { conversation, configFolder, project, folder, title = null, size, writtenAt } = listed;
  const { name: agent, driver } = deps.getAgent(DEFAULT_AGENT);
  const isUsual = configFolder === usualFolder;
  const row: SessionRow = {
    id: chooseId(sessions, runner, conversation),
    folder,
    title: title ?? "",
    named: false,
    agent,
    driver,
    runner,
    policy: getDefaultPolicy(importer, deps.getSessionDefaults()),
    bypassUntil: null,
    pinned: false,
    archived: false,
    labels: [],
    snoozedUntil: null,
    trashedAt: null,
    createdAt: listed.startedAt ?? writtenAt,
    options: {
      folder,
      startedBy: "driver",
      ...(!isUsual && { variables: { CLAUDE_CONFIG_DIR: { value: configFolder } } }),
    },
    forkOf: null,
    conversation,
    state: "parked",
    problem: null,
    run: null,
    colour: null,
  };
  const session = new Session(deps, row, createEmptySummary(), 0);
  const place = { session: row.id, configFolder, project, imported: true };
  const facts = { title, size, writtenAt };
  const transcript = { ...createTranscriptRow(runner, conversation), ...place, ...facts };
  const audit = { imported: conversation, folder, agent, ...getPermissionFacts(row) };
  const changes: Change[] = [
    { kind: "session", row },
    { kind: "transcript", row: transcript },
    createAuditChange("session-created", null, row.id, audit),
  ];
  return { session, transcript, changes };
}

/** Claude Code's own id, so that people find the session by it; another one if it is taken. */
function chooseId(sessions: Sessions, runner: string, conversation: string): string {
  const { success, data } = uuidText.safeParse(conversation);
  if (success && !sessions.find(data)) return data;
  const digest = createHash("sha256").update(`${runner}\n${conversation}`).digest("hex");
  const parts = [8, 4, 4, 4, 12].map((length, index, all) => {
    const from = all.slice(0, index).reduce((sum, each) => sum + each, 0);
    return digest.slice(from, from + length);
  });
  // The digits that mark a random UUID.
  return [parts[0], parts[1], `4${parts[2]?.slice(1)}`, `8${parts[3]?.slice(1)}`, parts[4]].join(
    "-",
  );
}
