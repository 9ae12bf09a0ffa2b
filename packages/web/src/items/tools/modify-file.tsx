import type { Mutation } from "@signalbox/timeline";
import type { Hunk } from "@signalbox/timeline/view";
import { useMemo } from "react";
import { strings } from "../../strings/strings.ts";
import { toShortRawText, toShortText, joinEnds, isCut, type MaybeCut } from "../../text/body.ts";
import { createHunk } from "../diff/rows.ts";
import { DiffView } from "../diff/diff-view.tsx";
import { useItemServices } from "../parts/items-context.tsx";
import { CodeView } from "../parts/code-view.tsx";
import { formatCount } from "../../text/format.ts";
import { countLines } from "../../text/lines.ts";
import { ToolCard, type ToolProps, usePath } from "./tool-card.tsx";

type Change = ToolProps<"modify_file">["payload"];

/** The file in which the agent keeps a plan. The plan is read where it is approved. */
const PLAN_FILE = /\/\.claude\/plans\/[^/]+\.md$/;

/** A change to a file or to a notebook's cell. */
export function ModifyFileView({ item, payload }: ToolProps<"modify_file">) {
  const title = usePath(payload.filePath);
  const [only] = payload.mutations;
  const written = (only?.content ?? only?.newContent) !== undefined;
  const { wrote, write } = strings.tools;
  const verb = item.name === "Write" && { name: item.status === "complete" ? wrote : write };
  return (
    <ToolCard
      item={item}
      {...verb}
      title={title}
      path
      open={!PLAN_FILE.test(title)}
      meta={<ChangeFacts payload={payload} />}
    >
      {(written || (payload.output?.patch.length ?? 0) > 0) && (
        <ChangeView id={item.id} payload={payload} />
      )}
    </ToolCard>
  );
}

/** The kind and size of a change. */
export function ChangeFacts({ payload }: { payload: Change }) {
  const { output, mutations } = payload;
  const [only] = mutations;
  return (
    <>
      {isNewFile(payload) && <span>{strings.tools.newFile}</span>}
      {only?.cell && (
        <span>
          {strings.tools.cell(toShortText(only.cell.mode, 20), toShortText(only.cell.id ?? "", 20))}
        </span>
      )}
      {output?.userModified === true && <span>{strings.tools.editedByHand}</span>}
      {output && <LineCounts added={output.added} removed={output.removed} />}
    </>
  );
}

/** The change as a diff, or the content of a new file. */
export function ChangeView({ id, payload }: { id: string; payload: Change }) {
  const file = toShortText(payload.filePath, 4096);
  const { output, mutations } = payload;
  const [only] = mutations;
  const { findLine } = useItemServices();
  const isPending = (output?.patch.length ?? 0) === 0;
  const line = useMemo(() => {
    const before = only?.oldContent;
    if (!isPending || typeof before !== "string" || mutations.length !== 1) return undefined;
    return findLine?.(id, toShortRawText(payload.filePath, 4096), before);
  }, [isPending, only, mutations, findLine, id, payload.filePath]);
  const hunks = useMemo(
    () => collectHunks(output?.patch, mutations, line),
    [output?.patch, mutations, line],
  );
  const cut = mutations.some(({ content, newContent }) => isCut(content) || isCut(newContent));
  // Without a patch, and without both whole texts to make one, the written content is shown.
  const whole = isNewFile(payload) || (cut && (output?.patch.length ?? 0) === 0);
  if (whole && only && (only.content ?? only.newContent) !== undefined) {
    return <NewFileContent id={id} mutation={only} file={file} />;
  }
  return (
    hunks.length > 0 && (
      <DiffView hunks={hunks} file={file} id={id} numbered={!isPending || line !== undefined} />
    )
  );
}

function isNewFile({ output, mutations }: Change): boolean {
  return output?.created === true || mutations[0]?.type === "create";
}

/** The content of a new file, or of one that is too long for a diff. */
function NewFileContent(props: { id: string; mutation: MaybeCut<Mutation>; file: string }) {
  const content = props.mutation.content ?? props.mutation.newContent ?? "";
  const lines = isCut(content) ? "" : formatCount(countLines(content), "line");
  return (
    <>
      <span className="sr-only">{lines}</span>
      <CodeView id={props.id} body={content} file={props.file} from={1} />
    </>
  );
}

export function LineCounts({ added, removed }: { added: number; removed: number }) {
  return (
    <span>
      {added > 0 && <span className="text-working">+{added}</span>}
      {added > 0 && removed > 0 && " "}
      {removed > 0 && <span className="text-failed">−{removed}</span>}
    </span>
  );
}

/** The patch of a change, or a preview of it until it is done. */
function collectHunks(
  patch: readonly MaybeCut<Hunk>[] | undefined,
  mutations: readonly MaybeCut<Mutation>[],
  line: number | undefined,
): readonly Hunk[] {
  if (patch && patch.length > 0) {
    return patch.map((hunk) => ({ ...hunk, lines: hunk.lines.map((line) => joinEnds(line)) }));
  }
  return mutations.flatMap((mutation) => createHunk(toMutation(mutation), line) ?? []);
}

function toMutation(mutation: MaybeCut<Mutation>): Mutation {
  const { oldContent, newContent, content } = mutation;
  return {
    type: mutation.type,
    ...(oldContent !== undefined && { oldContent: joinEnds(oldContent) }),
    ...(newContent !== undefined && { newContent: joinEnds(newContent) }),
    ...(content !== undefined && { content: joinEnds(content) }),
  };
}
