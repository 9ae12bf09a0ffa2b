import type { Session } from "@signalbox/client";
import { ChoiceSelect } from "../ui/choice-select.tsx";
import { useEffect, useRef, useState } from "react";
import { addMentionToDraft } from "../conversation/add-mention-to-draft.ts";
import { mentionFile } from "../conversation/item-mentions.ts";
import { useAppContext } from "../store/app-context.tsx";
import { useSignal } from "../store/signal.ts";
import { useMayDrive } from "../store/use-hub.ts";
import { strings } from "../strings/strings.ts";
import { FileTree } from "./file-tree.tsx";
import { FileViewer } from "./file-viewer.tsx";
import { fileSearchRequests } from "./requested-search.ts";
import { FoundFiles } from "./found-files.tsx";

const text = strings.files;

interface OpenFile {
  readonly path: string;
  readonly line?: number;
}

interface Props {
  readonly session: Session;
  /** Called when the person moves on to the composer. */
  readonly onLeave: () => void;
}

/** The files of a session's folder: a tree, a search of names and contents, and one file. */
export default function FilesPanel({ session, onLeave }: Props) {
  const { id } = session;
  const app = useAppContext();
  const mayDrive = useMayDrive();
  const [typed, setTyped] = useState("");
  const [kind, setKind] = useState<"names" | "contents">("names");
  const [open, setOpen] = useState<OpenFile>();
  const field = useRef<HTMLInputElement>(null);
  const requests = useSignal(fileSearchRequests);
  useEffect(() => {
    if (requests === 0) return;
    setOpen(undefined);
    requestAnimationFrame(() => field.current?.select());
  }, [requests]);
  if (!mayDrive) return <p className="text-dim">{text.viewer}</p>;
  const mention = (path: string) => {
    onLeave();
    addMentionToDraft(app, id, mentionFile(path));
  };
  if (open) {
    return (
      <FileViewer
        session={id}
        path={open.path}
        line={open.line}
        onBack={() => setOpen(undefined)}
        onMention={() => mention(open.path)}
      />
    );
  }
  const query = typed.trim();
  return (
    <div className="flex min-h-full flex-col gap-2" data-role="files" aria-label={text.label}>
      <div className="flex gap-2">
        <input
          ref={field}
          type="search"
          className="field min-w-0 grow"
          placeholder={kind === "names" ? text.search : text.searchContents}
          aria-label={kind === "names" ? text.search : text.searchContents}
          data-role="file-search"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <ChoiceSelect
          label={text.by}
          value={kind}
          options={[
            { value: "names", label: text.names },
            { value: "contents", label: text.contents },
          ]}
          onChange={setKind}
        />
      </div>
      {query === "" ? (
        <FileTree session={id} onOpen={(path) => setOpen({ path })} />
      ) : (
        <FoundFiles session={id} query={query} kind={kind} onOpen={setOpen} />
      )}
    </div>
  );
}
