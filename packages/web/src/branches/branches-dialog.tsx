import type { ConversationBranch } from "@signalbox/api";
import { GitBranch } from "lucide-react";
import { useCallback } from "react";
import { revealItem } from "../conversation/reveal.ts";
import { go, sessionPath } from "../navigation/router.ts";
import { useAppContext } from "../store/app-context.tsx";
import { useMayDrive } from "../store/use-hub.ts";
import { strings } from "../strings/strings.ts";
import { inert } from "../text/visible.ts";
import { LoadedContent } from "../ui/loaded-content.tsx";
import { Modal } from "../ui/modal.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { useLoad } from "../ui/use-load.ts";

const text = strings.branches;

/** The branches of a conversation as a small tree: the current one, and those that were left. */
export default function BranchesDialog(props: { session: string; onClose: () => void }) {
  const { session, onClose } = props;
  const { client, toasts } = useAppContext();
  const { state } = useLoad(useCallback(() => client.branches(session), [client, session]));
  const continueIn = async ({ end }: ConversationBranch) => {
    try {
      await client.rewind(session, { at: end });
      toasts.show(text.wentBack);
      onClose();
    } catch (failure) {
      toasts.showError(text.couldNotGoBack, failure);
    }
  };
  const show = ({ prompt }: ConversationBranch) => {
    onClose();
    go(sessionPath(session));
    if (prompt !== null) revealItem(session, prompt);
  };
  return (
    <Modal title={text.title} onClose={onClose}>
      <div className="flex min-h-0 flex-col gap-3 overflow-y-auto p-4" data-role="branches">
        <LoadedContent state={state}>
          {({ branches }) => (
            <>
              <p className="text-dim">{branches.length > 1 ? text.intro : text.one}</p>
              <ul className="flex flex-col">
                {branches
                  .toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent))
                  .map((branch) => (
                    <BranchRow
                      key={branch.end}
                      branch={branch}
                      onShow={() => show(branch)}
                      onContinue={() => void continueIn(branch)}
                    />
                  ))}
              </ul>
            </>
          )}
        </LoadedContent>
      </div>
    </Modal>
  );
}

interface RowProps {
  readonly branch: ConversationBranch;
  readonly onShow: () => void;
  readonly onContinue: () => void;
}

function BranchRow({ branch, onShow, onContinue }: RowProps) {
  const { isCurrent, isReachable, messages, at } = branch;
  const mayDrive = useMayDrive();
  return (
    <li
      className={`flex items-center gap-2.5 py-2 ${isCurrent ? "" : "ms-2 border-s border-line ps-4"}`}
      data-role="branch-row"
      data-current={isCurrent}
    >
      {!isCurrent && <GitBranch aria-hidden="true" className="shrink-0 text-faint" />}
      <span className="min-w-0 flex-1">
        <span className="block truncate">{inert(branch.text) || text.empty}</span>
        <span className="block text-small text-faint">
          {isCurrent && `${text.current} · `}
          {text.messages(messages)} · <RelativeTime at={at} />
          {!isCurrent && !isReachable && ` · ${text.unreachable}`}
        </span>
      </span>
      <button type="button" className="button button-small" onClick={onShow}>
        {text.show}
      </button>
      {!isCurrent && isReachable && mayDrive && (
        <button
          type="button"
          className="button button-small"
          data-role="continue-branch"
          onClick={onContinue}
        >
          {text.continueHere}
        </button>
      )}
    </li>
  );
}
