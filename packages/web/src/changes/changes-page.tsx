import type { WorkingChanges } from "@signalbox/api";
import type { Session } from "@signalbox/client";
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { ChevronDown, ChevronUp } from "lucide-react";
import { addMentionToDraft } from "../conversation/add-mention-to-draft.ts";
import { mentionFile } from "../conversation/item-mentions.ts";
import { PHONE_PX } from "../frame/frame-state.ts";
import { useMedia } from "../frame/use-media.ts";
import { go, sessionPath } from "../navigation/router.ts";
import { useAppContext } from "../store/app-context.tsx";
import { useMayDrive } from "../store/use-hub.ts";
import type { SessionHandle } from "../store/use-session-handle.ts";
import { strings } from "../strings/strings.ts";
import { formatCount } from "../text/format.ts";
import { inert } from "../text/visible.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { LoadingMessage } from "../ui/progress.tsx";
import { AgentChanges } from "./agent-changes.tsx";
import { registerChangeKeys } from "./change-keys.ts";
import { revertChange, type ShownChange, stageChange } from "./change-requests.ts";
import type { ShownFile } from "./changes-store.ts";
import { CommitBar } from "./commit-bar.tsx";
import { ComparisonSelect } from "./comparison-select.tsx";
import { Counts } from "./counts.tsx";
import { DiffList, type DiffListHandle } from "./diff-list.tsx";
import type { FileAction, FileActions } from "./file-actions.ts";
import { FileTreeView } from "./file-tree-view.tsx";
import { addCounts } from "./line-totals.ts";
import { createLineTarget } from "./line-target.ts";
import { ReviewBar } from "./review-bar.tsx";
import { type Review, useReview } from "./use-review.ts";
import { showFile, useShownFile } from "./shown-file.ts";
import { useChangesStore } from "./use-changes-store.ts";
import { ViewOptions } from "./view-options.tsx";

const RevertDialog = lazy(() => import("./revert-dialog.tsx"));

const text = strings.changes;

interface Props {
  readonly session: Session;
  readonly handle: SessionHandle | undefined;
}

/** What has changed in the folder of a session: its files, and their changes. */
export default function ChangesPage({ session, handle }: Props) {
  const { id } = session;
  const { store, shown, setAgainst } = useChangesStore(id);
  const { against, changes, problem, files } = shown;
  const [current, setCurrent] = useState<string>();
  const list = useRef<DiffListHandle>(null);
  /** On a phone the tree is above the changes, and only while a file is chosen. */
  const isWide = useMedia(`(width >= ${PHONE_PX}px)`);
  const [isTreeOpen, setTreeOpen] = useState(false);
  const isTreeShown = isWide || isTreeOpen;
  const [reverted, setReverted] = useState<ShownChange>();
  const review = useReview(session);
  const actions = useFileActions(session, store, against, { review, onRevert: setReverted });
  const app = useAppContext();
  const choose = useCallback(
    (path: string) => {
      const file = store.getSnapshot().files.find((one) => one.file.path === path);
      if (file && !file.isOpen && !file.isViewed) store.setOpen(path, true);
      list.current?.goToFile(path);
      setCurrent(path);
    },
    [store],
  );
  const load = useCallback((paths: readonly string[]) => store.load(paths), [store]);
  useRequestedFile(id, files, choose);
  const { send } = review;
  const { onLine } = actions;
  useEffect(
    () =>
      registerChangeKeys(id, (action) => {
        if (action === "next-file") list.current?.step("file", 1);
        else if (action === "previous-file") list.current?.step("file", -1);
        else if (action === "next-change") list.current?.step("hunk", 1);
        else if (action === "previous-change") list.current?.step("hunk", -1);
        else if (action === "send-review") void send();
        else if (action === "comment") {
          const row = list.current?.findChangedLine();
          const side = row?.line.kind === "changed" && row.line.new ? "new" : "old";
          const line = row?.line.kind === "changed" ? row.line[side]?.number : undefined;
          if (row && line !== undefined) onLine(row.file, side, line, "key");
        } else {
          const file = store.getSnapshot().files.find((one) => one.file.path === current);
          if (file) store.setViewed(file.file.path, !file.isViewed);
        }
      }),
    [id, store, current, send, onLine],
  );
  if (!changes) {
    if (problem === undefined) return <LoadingMessage text={text.loading} />;
    return (
      <div className="flex flex-col items-start gap-3 p-6" role="alert">
        <p className="text-failed">{text.couldNotLoad(inert(problem))}</p>
        <div className="flex gap-2">
          <button type="button" className="button" onClick={() => store.refresh()}>
            {text.tryAgain}
          </button>
          <ComparisonSelect against={against} changes={undefined} onChange={setAgainst} />
        </div>
      </div>
    );
  }
  if (!changes.repository) {
    return <AgentChanges session={session} handle={handle} why={changes.why} />;
  }
  return (
    <div className="changes-page" data-role="changes-page">
      <aside className="change-side">
        <div className="change-side-head">
          <ComparisonSelect against={against} changes={changes} onChange={setAgainst} />
          <ViewOptions store={store} />
        </div>
        <Summary
          changes={changes}
          files={files}
          isTreeOpen={isTreeOpen}
          onToggle={() => setTreeOpen(!isTreeOpen)}
        />
        {isTreeShown && (
          <FileTreeView
            files={files}
            current={current}
            onChoose={(path) => {
              setTreeOpen(false);
              choose(path);
            }}
          />
        )}
        {isTreeShown && actions.mayDrive && (
          <CommitBar
            session={session}
            files={files}
            version={`${changes.branch} ${changes.head}`}
            onChanged={() => store.refresh()}
          />
        )}
      </aside>
      <div className="relative flex min-h-0 min-w-0 grow flex-col">
        {files.length === 0 ? (
          <p className="p-8 text-center text-dim" data-role="no-changes">
            {text.none}
          </p>
        ) : (
          <DiffList
            ref={list}
            files={files}
            actions={actions}
            review={review}
            onVisible={load}
            onCurrent={setCurrent}
          />
        )}
        <ReviewBar review={review} onShow={choose} />
      </div>
      {reverted && (
        <Suspense fallback={null}>
          <RevertDialog
            change={reverted}
            onClose={() => setReverted(undefined)}
            onRevert={() =>
              void revertChange(session, reverted, against, app, () => store.refresh())
            }
          />
        </Suspense>
      )}
    </div>
  );
}

/** How many files have changed, and what state the repository is in. */
function Summary(props: {
  changes: Extract<WorkingChanges, { repository: true }>;
  files: readonly ShownFile[];
  isTreeOpen: boolean;
  onToggle: () => void;
}) {
  const { changes, files, isTreeOpen, onToggle } = props;
  const totals = useMemo(() => addCounts(files.map(({ file }) => file)), [files]);
  const viewed = files.filter(({ isViewed }) => isViewed).length;
  return (
    <div className="change-summary">
      <p className="flex items-center gap-2">
        <span className="min-w-0 grow truncate" data-role="change-count">
          {formatCount(files.length + changes.more, "file")}
          {viewed > 0 && ` · ${text.viewedCount(viewed)}`}
        </span>
        <Counts {...totals} />
        <IconButton
          icon={isTreeOpen ? ChevronUp : ChevronDown}
          label={isTreeOpen ? text.hideFiles : text.showFiles}
          aria-expanded={isTreeOpen}
          className="md:hidden"
          data-role="toggle-files"
          onClick={onToggle}
        />
      </p>
      {changes.operation && (
        <p className="text-waiting" data-role="operation">
          {text.operation[changes.operation]}
        </p>
      )}
      {changes.branch === null && changes.head !== null && <p>{text.detached}</p>}
      {changes.head === null && <p>{text.noCommits}</p>}
      {changes.more > 0 && <p>{text.more(changes.more)}</p>}
    </div>
  );
}

/** Goes to the file that was chosen elsewhere, as soon as it is listed. */
function useRequestedFile(
  session: string,
  files: readonly ShownFile[],
  onFound: (path: string) => void,
): void {
  const wanted = useShownFile(session);
  const isListed = files.some(({ file }) => file.path === wanted);
  useEffect(() => {
    if (wanted === undefined || !isListed) return;
    showFile(session, undefined);
    onFound(wanted);
  }, [session, wanted, isListed, onFound]);
}

function useFileActions(
  session: Session,
  store: ReturnType<typeof useChangesStore>["store"],
  against: string,
  { review, onRevert }: { review: Review; onRevert: (change: ShownChange) => void },
): FileActions {
  const app = useAppContext();
  const mayDrive = useMayDrive();
  const { setTarget } = review;
  const target = useRef(review.target);
  target.current = review.target;
  useEffect(() => {
    const endSelection = () => {
      if (target.current?.isSelecting) setTarget({ ...target.current, isSelecting: false });
    };
    window.addEventListener("pointerup", endSelection);
    return () => window.removeEventListener("pointerup", endSelection);
  }, [setTarget]);
  return useMemo((): FileActions => {
    const stage = async (action: "stage" | "unstage", change: ShownChange) => {
      await stageChange(action, session, change, app);
      store.refresh([change.shown.file.path]);
    };
    const runFileAction = (action: FileAction, shown: ShownFile) => {
      const { path } = shown.file;
      if (action === "comment") {
        store.setOpen(path, true);
        return setTarget({ path, side: "new", code: "" });
      }
      if (action === "copy-path") return void navigator.clipboard.writeText(path);
      if (action === "revert") return onRevert({ shown });
      if (action !== "mention") return void stage(action, { shown });
      go(sessionPath(session.id));
      return addMentionToDraft(app, session.id, mentionFile(path));
    };
    return {
      against,
      mayDrive,
      onOpen: (path, isOpen) => store.setOpen(path, isOpen),
      onViewed: (path, isViewed) => store.setViewed(path, isViewed),
      onMoreContext: (path) => store.showMoreContext(path),
      onRetry: () => store.refresh(),
      onAction: runFileAction,
      onLine: (shown, side, line, how) => {
        const before = target.current;
        if (how === "drag" && !before?.isSelecting) return;
        const from = how === "drag" || how === "extend" ? before : undefined;
        const next = createLineTarget({ shown, side, line }, from);
        if (next) setTarget({ ...next, isSelecting: how === "press" || how === "drag" });
      },
      onHunk: (action, shown, hunk) => {
        if (action === "revert") onRevert({ shown, hunk });
        else void stage(action, { shown, hunk });
      },
    };
  }, [session, store, against, mayDrive, app, onRevert, setTarget]);
}
