import type { Session } from "@signalbox/client";
import { AgentFiles } from "../changes/agent-files.tsx";
import { Counts } from "../changes/counts.tsx";
import { FilePath } from "../changes/file-path.tsx";
import { addCounts } from "../changes/line-totals.ts";
import { showFile } from "../changes/shown-file.ts";
import { StatusLetter } from "../changes/status-letter.tsx";
import { useChangesStore } from "../changes/use-changes-store.ts";
import { Link } from "../navigation/link.tsx";
import { changesPath, go } from "../navigation/router.ts";
import type { SessionHandle } from "../store/use-session-handle.ts";
import { strings } from "../strings/strings.ts";
import { formatCount } from "../text/format.ts";

const text = strings.changes;

/** More files are listed in the view of changes. */
const MAX_ROWS = 200;

interface Props {
  readonly session: Session;
  readonly handle: SessionHandle | undefined;
  readonly onLeave: () => void;
}

/** The files that have changed since the session began, each leading to its change. */
export function ChangesPanel({ session, handle, onLeave }: Props) {
  const { shown } = useChangesStore(session.id);
  const { changes, files } = shown;
  if (!changes?.repository) {
    return <AgentFiles session={session} handle={handle} onLeave={onLeave} />;
  }
  const open = (path?: string) => {
    showFile(session.id, path);
    onLeave();
    go(changesPath(session.id));
  };
  return (
    <>
      <header className="mb-1 flex items-center gap-2">
        <h3 className="font-strong">{text.thisSession}</h3>
        <span className="grow text-small text-dim">
          {formatCount(files.length + changes.more, "file")}
        </span>
        <Counts {...addCounts(files.map(({ file }) => file))} />
      </header>
      {files.length === 0 && <p className="text-small text-dim">{text.none}</p>}
      <ul className="-mx-2 flex flex-col" aria-label={text.list}>
        {files.slice(0, MAX_ROWS).map(({ file }) => (
          <li key={file.path}>
            <button type="button" className="file-row" onClick={() => open(file.path)}>
              <StatusLetter status={file.status} />
              <FilePath path={file.path} />
              <Counts added={file.added} removed={file.removed} />
            </button>
          </li>
        ))}
      </ul>
      {files.length > 0 && (
        <Link href={changesPath(session.id)} className="button mt-3" onClick={onLeave}>
          {text.openTab}
        </Link>
      )}
    </>
  );
}
