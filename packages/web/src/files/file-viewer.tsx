import type { FileContent } from "@signalbox/api";
import { AtSign, ChevronLeft } from "lucide-react";
import { useCallback, useEffect, useRef, useState } from "react";
import { CodeLine } from "../code/code-line.tsx";
import { findLanguageByFile } from "../code/highlight/detect-language.ts";
import { useHighlight } from "../code/highlight/use-highlight.ts";
import { useAppContext } from "../store/app-context.tsx";
import { strings } from "../strings/strings.ts";
import { formatBytes } from "../text/format.ts";
import { inert, spelled } from "../text/visible.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { LoadedContent } from "../ui/loaded-content.tsx";
import { useLoad } from "../ui/use-load.ts";

const text = strings.files;
/** Lines that are drawn at first, and with each press on the button. */
const LINES_PER_STEP = 1000;

interface Props {
  readonly session: string;
  readonly path: string;
  readonly line: number | undefined;
  readonly onBack: () => void;
  readonly onMention: () => void;
}

/** One file, to read. */
export function FileViewer({ session, path, line, onBack, onMention }: Props) {
  const { client } = useAppContext();
  const load = useCallback(() => client.git.readFile(session, path), [client, session, path]);
  const { state } = useLoad(load);
  return (
    <div className="flex flex-col gap-2" data-role="file-viewer">
      <div className="sticky -top-3 z-10 -mt-3 flex min-w-0 items-center gap-1 bg-page py-1.5">
        <IconButton icon={ChevronLeft} label={text.back} onClick={onBack} />
        <span className="min-w-0 grow truncate font-mono text-small" dir="rtl" data-tip={path}>
          <bdi>{spelled(path)}</bdi>
        </span>
        <IconButton icon={AtSign} label={text.mention} onClick={onMention} />
      </div>
      <LoadedContent state={state}>
        {(content) => <Content content={content} path={path} line={line} />}
      </LoadedContent>
    </div>
  );
}

function Content(props: {
  readonly content: FileContent;
  readonly path: string;
  readonly line: number | undefined;
}) {
  const { content, path, line } = props;
  switch (content.kind) {
    case "text":
      return (
        <>
          {content.cut && (
            <p className="text-small text-dim">{text.cutFile(formatBytes(content.bytes))}</p>
          )}
          <Lines code={content.text} path={path} line={line} />
        </>
      );
    case "binary":
      return <p className="text-dim">{text.binary(formatBytes(content.bytes))}</p>;
    case "link":
      return <p className="text-dim">{text.link(inert(content.target))}</p>;
    case "none":
      return <p className="text-dim">{text.gone}</p>;
    default:
      return content satisfies never;
  }
}

function Lines({ code, path, line = 1 }: { code: string; path: string; line: number | undefined }) {
  const [limit, setLimit] = useState(LINES_PER_STEP * Math.ceil(line / LINES_PER_STEP));
  const lines = useHighlight(code, findLanguageByFile(path));
  const wanted = useRef<HTMLSpanElement>(null);
  useEffect(() => wanted.current?.scrollIntoView({ block: "center" }), []);
  return (
    <>
      <pre className="overflow-x-auto font-mono text-small" tabIndex={0}>
        <code>
          {lines.slice(0, limit).map((tokens, at) => (
            <span
              key={at}
              {...(at + 1 === line && line > 1 && { ref: wanted })}
              className={`flex ${at + 1 === line && line > 1 ? "bg-selected" : ""}`}
            >
              <span
                className="mr-3 w-10 shrink-0 text-right text-dim select-none"
                aria-hidden="true"
              >
                {at + 1}
              </span>
              <span>
                <CodeLine tokens={tokens} />
                {"\n"}
              </span>
            </span>
          ))}
        </code>
      </pre>
      {lines.length > limit && (
        <button
          type="button"
          className="button self-start"
          onClick={() => setLimit(limit + LINES_PER_STEP)}
        >
          {text.showMore}
        </button>
      )}
    </>
  );
}
