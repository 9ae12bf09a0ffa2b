import type { Hunk, Mutation } from "@signalbox/timeline";
import { useMemo } from "react";
import { brief, endsOf, isCut, type Shown } from "../body.ts";
import { hunkOf } from "../diff/rows.ts";
import { DiffView } from "../diff/diff-view.tsx";
import { CodeView } from "../parts/code-view.tsx";
import { counted } from "../text/figures.ts";
import { lineCount } from "../text/lines.ts";
import { ToolCard, type ToolProps, usePath } from "./tool-card.tsx";

/** Edits, writes and cells of notebooks: what was there, what is there now. */
export function ModifyFileView({ item, payload }: ToolProps<"modify_file">) {
  const title = usePath(payload.filePath);
  const file = brief(payload.filePath, 4096);
  const { output, mutations } = payload;
  const [only] = mutations;
  const created = output?.created === true || only?.type === "create";
  const cut = mutations.some(({ content, newContent }) => isCut(content) || isCut(newContent));
  const hunks = useMemo(() => hunksOf(output?.patch, mutations), [output?.patch, mutations]);
  return (
    <ToolCard
      item={item}
      title={title}
      open
      meta={
        <>
          {created && <span>new file</span>}
          {only?.cell && (
            <span>{`${brief(only.cell.mode, 20)} cell ${brief(only.cell.id ?? "", 20)}`}</span>
          )}
          {output?.userModified === true && <span>changed by hand</span>}
          {output && <Balance added={output.added} removed={output.removed} />}
        </>
      }
    >
      {(created || cut) && only && (only.content ?? only.newContent) !== undefined ? (
        <Written item={item} mutation={only} file={file} />
      ) : (
        hunks.length > 0 && <DiffView hunks={hunks} file={file} id={item.id} />
      )}
    </ToolCard>
  );
}

/** A new file, or one too long for a diff: what stands in it. */
function Written(props: { item: { id: string }; mutation: Shown<Mutation>; file: string }) {
  const content = props.mutation.content ?? props.mutation.newContent ?? "";
  const lines = isCut(content) ? "" : counted(lineCount(content), "line");
  return (
    <>
      <span className="sr-only">{lines}</span>
      <CodeView id={props.item.id} body={content} file={props.file} from={1} />
    </>
  );
}

function Balance({ added, removed }: { added: number; removed: number }) {
  return (
    <span>
      {added > 0 && <span className="text-working">+{added}</span>}
      {added > 0 && removed > 0 && " "}
      {removed > 0 && <span className="text-failed">−{removed}</span>}
    </span>
  );
}

/** What was done, or, until it is, what is going to be. */
function hunksOf(
  patch: readonly Shown<Hunk>[] | undefined,
  mutations: readonly Shown<Mutation>[],
): readonly Hunk[] {
  if (patch && patch.length > 0) {
    return patch.map((hunk) => ({ ...hunk, lines: hunk.lines.map((line) => endsOf(line)) }));
  }
  return mutations.flatMap((mutation) => hunkOf(whole(mutation)) ?? []);
}

function whole(mutation: Shown<Mutation>): Mutation {
  const { oldContent, newContent, content } = mutation;
  return {
    type: mutation.type,
    ...(oldContent !== undefined && { oldContent: endsOf(oldContent) }),
    ...(newContent !== undefined && { newContent: endsOf(newContent) }),
    ...(content !== undefined && { content: endsOf(content) }),
  };
}
