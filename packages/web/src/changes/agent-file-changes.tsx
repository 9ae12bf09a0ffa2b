import type { ItemOfKind, Session } from "@signalbox/client";
import { ArrowLeft } from "lucide-react";
import { useState } from "react";
import { toShortText, type DisplayItemOfKind } from "../text/body.ts";
import { spelled } from "../text/visible.ts";
import { LineCounts, ChangeFacts, ChangeView } from "../items/tools/modify-file.tsx";
import { LoadingMessage } from "../ui/progress.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { relativePath } from "../text/path.ts";
import type { SessionHandle } from "../store/use-session-handle.ts";
import { useMayDrive } from "../store/use-hub.ts";
import { useAppContext } from "../store/app-context.tsx";
import type { Mention } from "../store/mentions.ts";
import { SessionItems } from "../conversation/session-items.tsx";
import { addMentionToDraft } from "../conversation/add-mention-to-draft.ts";
import { mentionItem, mentionFile } from "../conversation/item-mentions.ts";
import { revealItem } from "../conversation/reveal.ts";
import { useAgentChanges } from "./use-agent-changes.ts";
import { strings } from "../strings/strings.ts";

const text = strings.panels.files;

/** The number of changes shown at first, the newest. */
const MAX_INITIAL_CHANGES = 20;

interface Props {
  readonly session: Session;
  readonly handle: SessionHandle;
  readonly file: Session["summary"]["changedFiles"][number];
  readonly onBack: () => void;
  readonly onLeave: () => void;
}

/** The changes of a file, one per tool call, in order. */
export default function AgentFileChanges({ session, handle, file, onBack, onLeave }: Props) {
  const app = useAppContext();
  const mayDrive = useMayDrive();
  const { calls, older, problem, reload } = useAgentChanges(session.id, file);
  const [all, setAll] = useState(false);
  const mention = (what: Mention) => {
    onLeave();
    addMentionToDraft(app, session.id, what);
  };
  const shown = all ? calls : calls?.slice(-MAX_INITIAL_CHANGES);
  const hidden = (calls?.length ?? 0) - (shown?.length ?? 0);
  return (
    <div className="flex flex-col gap-3" data-role="file-changes">
      <header className="flex flex-col gap-2">
        <div className="flex justify-between gap-2">
          <button type="button" className="button" autoFocus onClick={onBack}>
            <ArrowLeft aria-hidden="true" />
            {text.all}
          </button>
          {mayDrive && (
            <button
              type="button"
              className="button"
              data-role="mention-file"
              onClick={() => mention(mentionFile(file.path, session.folder))}
            >
              {text.mentionFile}
            </button>
          )}
        </div>
        <h3 className="flex gap-3 font-mono text-small" data-tip={file.path}>
          <span className="min-w-0 grow wrap-anywhere">
            {spelled(relativePath(file.path, session.folder))}
          </span>
          <span className="shrink-0">
            <LineCounts added={file.added} removed={file.removed} />
          </span>
        </h3>
      </header>
      {problem !== undefined && (
        <p className="text-small text-failed" role="alert">
          {text.couldNotLoad(problem)}
          <button type="button" className="button ml-2" onClick={reload}>
            {text.tryAgain}
          </button>
        </p>
      )}
      {!calls && problem === undefined && <LoadingMessage text={text.loading} small />}
      {calls?.length === 0 && <p className="text-small text-dim">{text.notKept}</p>}
      {older && <p className="text-small text-dim">{text.older}</p>}
      {hidden > 0 && (
        <button type="button" className="quiet-button self-start" onClick={() => setAll(true)}>
          {text.showEarlier(hidden)}
        </button>
      )}
      <SessionItems id={session.id} handle={handle}>
        {shown?.map((call) => (
          <FileChange
            key={call.id}
            call={call}
            onReveal={() => {
              onLeave();
              revealItem(session.id, call.id);
            }}
            {...(mayDrive && {
              onMention: () => mention(mentionItem(call, session.folder) ?? mentionFile(file.path)),
            })}
          />
        ))}
      </SessionItems>
    </div>
  );
}

interface FileChangeProps {
  readonly call: ItemOfKind<"tool">;
  readonly onReveal: () => void;
  /** Undefined if this device may not send messages. */
  readonly onMention?: () => void;
}

function FileChange({ call, onReveal, onMention }: FileChangeProps) {
  const { id, name, at, payload }: DisplayItemOfKind<"tool"> = call;
  if (payload?.kind !== "modify_file") return null;
  return (
    <section className="card" data-change={id} aria-label={toShortText(name, 60)}>
      <div className="card-head flex-wrap">
        <span className="font-semibold">{toShortText(name, 60)}</span>
        {at !== undefined && (
          <span className="text-small text-dim">
            <RelativeTime at={at} />
          </span>
        )}
        <span className="card-meta grow">
          <ChangeFacts payload={payload} />
        </span>
        <span className="flex">
          {onMention && (
            <button type="button" className="quiet-button" onClick={onMention}>
              {text.mention}
            </button>
          )}
          <button type="button" className="quiet-button" data-role="reveal" onClick={onReveal}>
            {text.show}
          </button>
        </span>
      </div>
      <div className="card-body">
        <ChangeView id={id} payload={payload} />
      </div>
    </section>
  );
}
