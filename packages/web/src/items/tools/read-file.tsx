import { toShortText } from "../../text/body.ts";
import { CodeView } from "../parts/code-view.tsx";
import { Images } from "../parts/image-view.tsx";
import { formatCount, formatNumber } from "../../text/format.ts";
import { ToolCard, type ToolProps, usePath } from "./tool-card.tsx";
import { strings } from "../../strings/strings.ts";

export function ReadFileView({ item, payload }: ToolProps<"read_file">) {
  const title = usePath(payload.filePath);
  const { output } = payload;
  const images = output?.images ?? [];
  const hasText = output !== undefined && output.content !== "";
  return (
    <ToolCard
      item={item}
      title={title}
      path
      open={images.length > 0}
      meta={
        hasText && (
          <span>
            {output.truncated
              ? strings.tools.linesOf(
                  formatCount(output.lineCount, "line"),
                  output.totalLines === undefined ? undefined : formatNumber(output.totalLines),
                )
              : formatCount(output.lineCount, "line")}
          </span>
        )
      }
    >
      {(hasText || images.length > 0) && (
        <>
          {hasText && (
            <CodeView
              id={item.id}
              body={output.content}
              file={toShortText(payload.filePath, 4096)}
              from={output.startLine ?? payload.offset ?? 1}
            />
          )}
          {images.length > 0 && <Images images={images} />}
        </>
      )}
    </ToolCard>
  );
}
