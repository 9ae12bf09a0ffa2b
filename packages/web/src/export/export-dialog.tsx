import type { ExportFinding, ExportFormat, ExportPreview } from "@signalbox/api";
import { errorMessage } from "@signalbox/protocol/text";
import { useDeferredValue, useEffect, useState } from "react";
import { saveBlob } from "../browser/save-blob.ts";
import { useAppContext } from "../store/app-context.tsx";
import { strings } from "../strings/strings.ts";
import { inert } from "../text/visible.ts";
import { ChoiceSelect } from "../ui/choice-select.tsx";
import { Modal } from "../ui/modal.tsx";
import { LoadingMessage } from "../ui/progress.tsx";

const text = strings.exporting;
const formats = (["html", "markdown", "jsonl"] as const).map((value) => ({
  value,
  label: text.formats[value],
  hint: text.hints[value],
}));

type Preview =
  | { readonly kind: "loading" }
  | { readonly kind: "failed"; readonly why: string }
  | { readonly kind: "there"; readonly preview: ExportPreview };

/** Exports a conversation, after showing what is replaced in it. */
export default function ExportDialog(props: { session: string; onClose: () => void }) {
  const { session, onClose } = props;
  const { client, toasts } = useAppContext();
  const [format, setFormat] = useState<ExportFormat>("html");
  const [words, setWords] = useState("");
  const [excluded, setExcluded] = useState<ReadonlySet<string>>(new Set());
  const [isBusy, setBusy] = useState(false);
  const preview = usePreview(session, format, useDeferredValue(words));
  const download = async () => {
    setBusy(true);
    try {
      const keep = [...excluded].join(",");
      const answer = await client.exportSession(session, { format, words, keep });
      const named = /filename="([^"]+)"/.exec(answer.headers.get("content-disposition") ?? "");
      saveBlob(named?.[1] ?? "session", await answer.blob());
      onClose();
    } catch (failure) {
      toasts.showError(text.couldNotExport, failure);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal title={text.title} onClose={onClose}>
      <div className="flex min-h-0 flex-col gap-3 overflow-y-auto p-4" data-role="export">
        <div className="flex items-center gap-3">
          <div className="min-w-0 flex-1">
            <div>{text.format}</div>
            <p className="text-small text-dim">{text.hints[format]}</p>
          </div>
          <ChoiceSelect
            label={text.format}
            value={format}
            options={formats}
            role="export-format"
            onChange={setFormat}
          />
        </div>
        <label className="flex flex-col gap-1">
          <span className="text-small text-dim">
            {text.words} · {text.wordsHint}
          </span>
          <textarea
            className="field"
            rows={1}
            data-role="export-words"
            value={words}
            onChange={(event) => setWords(event.target.value)}
          />
        </label>
        {preview.kind === "loading" && <LoadingMessage text={text.checking} small />}
        {preview.kind === "failed" && (
          <p className="text-failed" role="alert">
            {inert(preview.why)}
          </p>
        )}
        {preview.kind === "there" && (
          <Findings
            findings={preview.preview.findings}
            excluded={excluded}
            onExcluded={setExcluded}
          />
        )}
        <p className="text-small text-dim">{text.notComplete}</p>
        <div className="flex justify-end gap-2">
          <button type="button" className="button" onClick={onClose}>
            {strings.parts.cancel}
          </button>
          <button
            type="button"
            className="button button-solid"
            data-role="export-download"
            disabled={isBusy || preview.kind !== "there"}
            onClick={() => void download()}
          >
            {isBusy ? text.downloading : text.download}
          </button>
        </div>
      </div>
    </Modal>
  );
}

function usePreview(session: string, format: ExportFormat, words: string): Preview {
  const { client } = useAppContext();
  const [preview, setPreview] = useState<Preview>({ kind: "loading" });
  useEffect(() => {
    let isOver = false;
    const load = async () => {
      try {
        const found = await client.previewExport(session, { format, words });
        if (!isOver) setPreview({ kind: "there", preview: found });
      } catch (failure) {
        if (!isOver) setPreview({ kind: "failed", why: errorMessage(failure) });
      }
    };
    void load();
    return () => {
      isOver = true;
    };
  }, [client, session, format, words]);
  return preview;
}

interface FindingsProps {
  readonly findings: readonly ExportFinding[];
  readonly excluded: ReadonlySet<string>;
  readonly onExcluded: (excluded: ReadonlySet<string>) => void;
}

/** What was found, each with the passage in which it stands. */
function Findings({ findings, excluded, onExcluded }: FindingsProps) {
  if (findings.length === 0) return <p data-role="no-findings">{text.none}</p>;
  const replaced = findings.filter(({ id }) => !excluded.has(id)).length;
  const toggle = (id: string) => {
    const next = new Set(excluded);
    if (!next.delete(id)) next.add(id);
    onExcluded(next);
  };
  return (
    <section className="flex min-h-0 flex-col gap-1.5">
      <div className="flex items-center gap-2">
        <h3 className="grow text-control font-strong">{text.found(replaced, findings.length)}</h3>
        {replaced < findings.length && (
          <button type="button" className="quiet-button" onClick={() => onExcluded(new Set())}>
            {text.all}
          </button>
        )}
      </div>
      <ul className="box max-h-72 divide-y divide-line overflow-y-auto" tabIndex={0}>
        {findings.map((finding) => (
          <li key={finding.id}>
            <label className="flex items-start gap-2.5 px-3 py-2" data-role="finding">
              <input
                type="checkbox"
                className="mt-0.5"
                aria-label={text.replace(inert(finding.text))}
                checked={!excluded.has(finding.id)}
                onChange={() => toggle(finding.id)}
              />
              <span className="min-w-0 flex-1">
                <span className="flex gap-2 text-small text-dim">
                  <span className="grow">{text.kinds[finding.kind]}</span>
                  {finding.count > 1 && <span>{text.times(finding.count)}</span>}
                </span>
                <span className="block truncate font-mono text-small">
                  <span className="text-faint">{inert(finding.before.slice(-24))}</span>
                  <mark className="found-words">{inert(finding.text)}</mark>
                  <span className="text-faint">{inert(finding.after)}</span>
                </span>
              </span>
            </label>
          </li>
        ))}
      </ul>
    </section>
  );
}
