import type { Session } from "@signalbox/client";
import { lazy, useRef } from "react";
import { LineCounts } from "../items/tools/modify-file.tsx";
import type { SessionHandle } from "../store/use-session-handle.ts";
import { strings } from "../strings/strings.ts";
import { PathText } from "../text/path-text.tsx";
import { relativePath } from "../text/path.ts";
import { showFile, useShownFile } from "./shown-file.ts";

const text = strings.panels.files;

const AgentFileChanges = lazy(() => import("./agent-file-changes.tsx"));

interface Props {
  readonly session: Session;
  readonly handle: SessionHandle | undefined;
  readonly onLeave: () => void;
}

/** The files that the agent has changed with its file tools, or the changes of one of them. */
export function AgentFiles({ session, handle, onLeave }: Props) {
  const { changedFiles } = session.summary;
  const path = useShownFile(session.id);
  const left = useRef<string>(undefined);
  const file = changedFiles.find((one) => one.path === path);
  if (file && handle) {
    const back = () => {
      left.current = file.path;
      showFile(session.id, undefined);
    };
    return <AgentFileChanges key={path} {...{ session, handle, file, onLeave }} onBack={back} />;
  }
  if (changedFiles.length === 0) return <p className="text-small text-dim">{text.empty}</p>;
  return (
    <>
      <p className="mb-2 text-small text-dim">{text.note}</p>
      <ul className="-mx-2 flex flex-col" aria-label={text.list}>
        {changedFiles.toReversed().map(({ path: one, added, removed }) => (
          <li key={one}>
            <button
              type="button"
              className="file-row"
              autoFocus={one === left.current}
              onClick={() => showFile(session.id, one)}
            >
              <PathText
                path={relativePath(one, session.folder)}
                whole={one}
                className="grow font-mono text-small"
              />
              <span className="shrink-0 font-mono text-small">
                <LineCounts added={added} removed={removed} />
              </span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
