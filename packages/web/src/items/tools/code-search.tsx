import { strings } from "../../strings/strings.ts";
import { PathText } from "../../text/path-text.tsx";
import { useMemo } from "react";
import { type Body, toShortText, isCut } from "../../text/body.ts";
import { useItemServices } from "../parts/items-context.tsx";
import { Output } from "../parts/output.tsx";
import { ShowMore } from "../parts/show-more.tsx";
import { useFold } from "../parts/use-fold.ts";
import { formatNumber, formatCount } from "../../text/format.ts";
import { type FileHits, parseSearchOutput } from "./search-results.ts";
import { relativePath } from "../../text/path.ts";
import { ToolCard, type ToolProps, usePath } from "./tool-card.tsx";

const MAX_INITIAL_FILES = 12;

/** A code search and its results by file. */
export function CodeSearchView({ item, payload }: ToolProps<"code_search">) {
  const { output } = payload;
  const where = [payload.path, payload.glob]
    .filter((part) => part !== undefined)
    .map((part) => toShortText(part));
  const query = toShortText(payload.pattern ?? payload.query ?? item.title);
  const title = where.length === 0 ? query : strings.tools.searchedIn(query, where.join(" "));
  return (
    <ToolCard
      item={item}
      title={title}
      meta={
        output && (
          <span>
            {output.matchCount !== undefined && `${formatCount(output.matchCount, "match")} · `}
            {formatCount(output.fileCount, "file")}
            {output.truncated && " +"}
          </span>
        )
      }
    >
      {output && <SearchOutput id={item.id} content={output.content} files={output.files} />}
    </ToolCard>
  );
}

function SearchOutput(props: { id: string; content: Body | undefined; files: readonly Body[] }) {
  const { id, content, files } = props;
  if (isCut(content)) return <Output body={content} id={id} label={strings.tools.result} />;
  if (content !== undefined && content !== "") return <HitList id={id} content={content} />;
  if (files.length === 0) return <p className="px-3 py-2 text-dim">{strings.tools.noMatches}</p>;
  return <Files files={files} id={id} />;
}

function Files({ files, id }: { files: readonly Body[]; id: string }) {
  const { folder } = useItemServices();
  const paths = files.map((file) => relativePath(toShortText(file, 4096), folder));
  return <Output body={paths.join("\n")} id={id} label={strings.tools.files} />;
}

function HitList({ id, content }: { id: string; content: string }) {
  const files = useMemo(() => parseSearchOutput(content), [content]);
  const [all, showAll] = useFold(`${id}/all`, false);
  const shown = all ? files : files.slice(0, MAX_INITIAL_FILES);
  return (
    <div className="px-3 py-2">
      {shown.map((file) => (
        <FileView key={file.file} file={file} />
      ))}
      {shown.length < files.length && (
        <ShowMore
          words={strings.tools.showMoreFiles(formatNumber(files.length - shown.length))}
          onClick={showAll}
        />
      )}
    </div>
  );
}

function FileView({ file }: { file: FileHits }) {
  const path = usePath(file.file);
  return (
    <div className="mb-2 last:mb-0">
      <h4 className="font-mono text-small font-semibold">
        <PathText path={path} whole={file.file} />
      </h4>
      <pre className="hits">
        {file.lines.map((line, at) => (
          <span
            key={at}
            className={`code-line numbered ${line.isContext ? "text-dim" : ""}`}
            data-n={line.line}
          >
            {line.text}
            {"\n"}
          </span>
        ))}
      </pre>
    </div>
  );
}
