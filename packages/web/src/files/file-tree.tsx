import type { FolderEntry } from "@signalbox/api";
import { ChevronDown, ChevronRight, File, Link2 } from "lucide-react";
import { useCallback, useState } from "react";
import { useAppContext } from "../store/app-context.tsx";
import { strings } from "../strings/strings.ts";
import { spelled } from "../text/visible.ts";
import { LoadedContent } from "../ui/loaded-content.tsx";
import { useLoad } from "../ui/use-load.ts";

const text = strings.files;

interface Props {
  readonly session: string;
  readonly onOpen: (path: string) => void;
}

/** The folder of a session. Each folder in it is loaded when it is opened. */
export function FileTree({ session, onOpen }: Props) {
  return (
    <ul role="tree" aria-label={text.label} className="flex flex-col">
      <FolderContents session={session} onOpen={onOpen} path="" depth={0} />
    </ul>
  );
}

interface FolderProps extends Props {
  readonly path: string;
  readonly depth: number;
}

function FolderContents({ session, onOpen, path, depth }: FolderProps) {
  const { client } = useAppContext();
  const load = useCallback(() => client.git.entries(session, path), [client, session, path]);
  const { state } = useLoad(load);
  return (
    <LoadedContent state={state}>
      {({ entries, more }) => (
        <>
          {entries.length === 0 && (
            <li className="text-small text-dim" style={indent(depth)}>
              {text.empty}
            </li>
          )}
          {entries.map((entry) => (
            <Entry
              key={entry.name}
              entry={entry}
              session={session}
              onOpen={onOpen}
              path={path === "" ? entry.name : `${path}/${entry.name}`}
              depth={depth}
            />
          ))}
          {more > 0 && (
            <li className="text-small text-dim" style={indent(depth)}>
              {text.more(more)}
            </li>
          )}
        </>
      )}
    </LoadedContent>
  );
}

function Entry({ entry, ...rest }: FolderProps & { readonly entry: FolderEntry }) {
  const { kind, name, ignored, unreadableName } = entry;
  const [isOpen, setOpen] = useState(false);
  const isFolder = kind === "folder";
  const Icon = isFolder ? (isOpen ? ChevronDown : ChevronRight) : kind === "link" ? Link2 : File;
  return (
    <>
      <li role="treeitem" {...(isFolder && { "aria-expanded": isOpen })}>
        <button
          type="button"
          className={`flex min-h-7 w-full min-w-0 items-center gap-1.5 rounded-control text-left text-control hover:bg-hover pointer-coarse:min-h-11 ${ignored ? "text-dim opacity-60" : ""}`}
          style={indent(rest.depth)}
          disabled={unreadableName === true || kind === "other"}
          data-path={rest.path}
          {...(unreadableName && { "data-tip": text.unreadable })}
          onClick={() => (isFolder ? setOpen(!isOpen) : rest.onOpen(rest.path))}
        >
          <Icon className="size-3.5 shrink-0 text-dim" aria-hidden="true" />
          <span className="truncate">{spelled(name)}</span>
        </button>
      </li>
      {isOpen && <FolderContents {...rest} depth={rest.depth + 1} />}
    </>
  );
}

const indent = (depth: number) => ({ paddingInlineStart: `${6 + depth * 14}px` });
