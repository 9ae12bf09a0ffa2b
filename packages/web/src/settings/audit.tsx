import type { AuditEntry, AuditPage } from "@signalbox/api";
import { Download, ShieldCheck } from "lucide-react";
import { useCallback, useEffect, useMemo, useState } from "react";
import { saveBlob } from "../browser/save-blob.ts";
import { Link } from "../navigation/link.tsx";
import { sessionPath } from "../navigation/router.ts";
import { readAuditHeads, saveAuditHead } from "../storage/audit-heads.ts";
import { type AppContext, useAppContext } from "../store/app-context.tsx";
import { useMayDrive, useSessions } from "../store/use-hub.ts";
import { settingsStrings } from "../strings/settings-strings.ts";
import { strings } from "../strings/strings.ts";
import { errorMessage } from "@signalbox/protocol/text";
import { formatDateTime, formatNumber } from "../text/format.ts";
import { inert } from "../text/visible.ts";
import { LoadingMessage } from "../ui/progress.tsx";
import { RelativeTime } from "../ui/time.tsx";
import {
  type DeviceNames,
  entryActor,
  entryDetail,
  entryTitle,
  filterEntries,
} from "./audit-entries.ts";
import { FormProblem } from "./setting-parts.tsx";

const text = settingsStrings.audit;
const PAGE_SIZE = 100;
const EXPORT_PAGE_SIZE = 500;

/** The audit log: read, filter, verify and export it. */
export function Audit() {
  return useMayDrive() ? <AuditLog /> : <p className="text-dim">{text.viewer}</p>;
}

function AuditLog() {
  const app = useAppContext();
  const { entries, names, hasOlder, problem, loadOlder } = useAuditEntries(app);
  const [filter, setFilter] = useState("");
  const sessions = useSessions();
  const titles = useMemo(() => new Map(sessions.map(({ id, title }) => [id, title])), [sessions]);
  const shown = entries && filterEntries(entries, filter, names, titles);
  return (
    <>
      <p className="md:-mt-4 text-control text-dim">{text.intro}</p>
      <AuditActions app={app} />
      <div className="flex flex-col gap-2">
        <input
          type="search"
          className="field"
          data-role="audit-filter"
          aria-label={text.filter}
          placeholder={text.filterPlaceholder}
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
        />
        <FormProblem problem={problem} />
        {!shown && problem === undefined && <LoadingMessage text={strings.frame.opening} small />}
        {shown && shown.length === 0 && (
          <p className="text-control text-dim" role="status">
            {text.noMatches}
          </p>
        )}
        {shown && shown.length > 0 && (
          <ol className="box divide-y divide-line" data-role="audit-entries">
            {shown.map((entry) => (
              <Entry key={entry.nth} entry={entry} names={names} titles={titles} />
            ))}
          </ol>
        )}
        {hasOlder && (
          <button type="button" className="button self-start" onClick={loadOlder}>
            {text.older}
          </button>
        )}
      </div>
    </>
  );
}

interface AuditEntries {
  readonly entries: readonly AuditEntry[] | undefined;
  readonly names: DeviceNames;
  readonly hasOlder: boolean;
  readonly problem: string | undefined;
  readonly loadOlder: () => void;
}

/** The newest entries of the log, and older ones on demand. */
function useAuditEntries({ client }: AppContext): AuditEntries {
  const [entries, setEntries] = useState<readonly AuditEntry[]>();
  const [names, setNames] = useState<DeviceNames>(new Map());
  const [problem, setProblem] = useState<string>();
  const load = useCallback(
    (before?: number) => {
      const fetchPage = async () => {
        const range = { limit: PAGE_SIZE, ...(before !== undefined && { before }) };
        const [page, devices] = await Promise.all([client.audit(range), client.devices()]);
        setNames(new Map(devices.map(({ id, name }) => [id, name])));
        setEntries((current = []) =>
          before === undefined ? page.entries : [...current, ...page.entries],
        );
      };
      fetchPage().catch((failure: unknown) => setProblem(errorMessage(failure)));
    },
    [client],
  );
  useEffect(() => load(), [load]);
  const oldest = entries?.at(-1)?.nth;
  return {
    entries,
    names,
    hasOlder: oldest !== undefined && oldest > 1,
    problem,
    loadOlder: () => load(oldest),
  };
}

function AuditActions({ app }: { readonly app: AppContext }) {
  const [verdict, setVerdict] = useState<{ readonly label: string; readonly isOk: boolean }>();
  const [busy, setBusy] = useState<"verify" | "export">();
  const verify = async () => {
    setBusy("verify");
    setVerdict(await verifyAudit(app));
    setBusy(undefined);
  };
  const save = async () => {
    setBusy("export");
    try {
      saveBlob(
        "signalbox-audit.ndjson",
        new Blob([await exportAudit(app)], { type: "application/x-ndjson" }),
      );
    } catch (failure) {
      app.toasts.showError(text.couldNotExport, failure);
    }
    setBusy(undefined);
  };
  return (
    <div className="md:-mt-3 flex flex-wrap items-center gap-2">
      <button
        type="button"
        className="button"
        data-role="verify-audit"
        disabled={busy !== undefined}
        onClick={() => void verify()}
      >
        <ShieldCheck aria-hidden="true" />
        {busy === "verify" ? text.verifying : text.verify}
      </button>
      <button
        type="button"
        className="button"
        data-role="export-audit"
        disabled={busy !== undefined}
        onClick={() => void save()}
      >
        <Download aria-hidden="true" />
        {busy === "export" ? text.exporting : text.export}
      </button>
      {verdict && (
        <span
          role={verdict.isOk ? "status" : "alert"}
          className={`text-control ${verdict.isOk ? "" : "text-failed"}`}
        >
          {verdict.label}
        </span>
      )}
    </div>
  );
}

function Entry(props: {
  readonly entry: AuditEntry;
  readonly names: DeviceNames;
  readonly titles: ReadonlyMap<string, string>;
}) {
  const { entry, names, titles } = props;
  const { nth, at, session, facts, hash } = entry;
  const title = session === undefined ? undefined : titles.get(session);
  return (
    <li>
      <details className="px-3.5 py-2 text-control" data-nth={nth}>
        <summary className="flex cursor-pointer flex-wrap items-baseline gap-x-3 gap-y-0.5">
          <span className="font-medium">{inert(entryTitle(entry))}</span>
          <span className="text-dim">{inert(entryActor(entry, names) ?? text.system)}</span>
          <span className="ms-auto text-small text-faint">
            <RelativeTime at={at} />
          </span>
          <span className="w-full truncate text-small text-dim">
            {[title ?? "", entryDetail(entry)].filter(Boolean).map(inert).join(" · ")}
          </span>
        </summary>
        <div className="flex flex-col gap-1 pt-2 text-small text-dim">
          <span>
            {text.entry(nth)} · {formatDateTime(at)}
          </span>
          {session !== undefined && title !== undefined && (
            <Link href={sessionPath(session)} className="link self-start">
              {text.openSession}: {inert(title)}
            </Link>
          )}
          <pre className="font-mono whitespace-pre-wrap wrap-anywhere">
            {inert(JSON.stringify(facts, undefined, 2))}
          </pre>
          <span className="font-mono wrap-anywhere">
            {text.hash} {hash}
          </span>
        </div>
      </details>
    </li>
  );
}

/** Checks the whole chain, also against the heads that this browser has seen. */
async function verifyAudit({
  client,
  database,
}: AppContext): Promise<{ label: string; isOk: boolean }> {
  try {
    const { hub } = await client.hub();
    const heads = await readAuditHeads(database, hub);
    const { head, verified } = await client.audit({ limit: 1, verify: true, heads });
    await saveAuditHead(database, hub, head);
    return describeVerdict(verified);
  } catch (failure) {
    return { label: errorMessage(failure), isOk: false };
  }
}

function describeVerdict(verified: AuditPage["verified"]): { label: string; isOk: boolean } {
  if (verified?.broken !== null) return { label: verified?.why ?? "", isOk: false };
  const { count, unsigned = 0 } = verified;
  const label = text.verified(formatNumber(count));
  return {
    label: unsigned > 0 ? `${label}. ${text.unsigned(formatNumber(unsigned))}` : label,
    isOk: true,
  };
}

/** The whole log, the oldest entry first: one JSON object a line. */
async function exportAudit({ client }: AppContext): Promise<string> {
  const all: AuditEntry[] = [];
  let before: number | undefined;
  for (;;) {
    const range = { limit: EXPORT_PAGE_SIZE, ...(before !== undefined && { before }) };
    const { entries } = await client.audit(range);
    all.push(...entries);
    before = entries.at(-1)?.nth;
    if (before === undefined || before <= 1) break;
  }
  return all
    .toReversed()
    .map((entry) => `${JSON.stringify(entry)}\n`)
    .join("");
}
