import type { LogMarker } from "@signalbox/protocol";
import { isBlock } from "./reduce/growth.ts";
import type { TimelineState } from "./timeline.ts";

type Block = LogMarker<"text_kept">["blocks"][number];

/**
 * The blocks of messages that are not complete, in the format of a `text_kept` marker. A log
 * without deltas needs them when a run ends in the middle of a message.
 */
export function collectUnfinishedBlocks({ normalize, reduce }: TimelineState): Block[] {
  const { growing } = reduce;
  const items = reduce.open.map((item) => (item.id === growing?.id ? growing : item));
  return normalize.messages.flatMap(({ lane, messageId, blocks }) =>
    blocks.flatMap(({ kind, id, settled, callId }, index): Block[] => {
      const item = settled ? undefined : items.find((open) => isBlock(open, id));
      if (item?.kind === "text" || item?.kind === "thinking") {
        return [{ lane, messageId, index, kind, text: item.text }];
      }
      if (item?.kind !== "tool") return [];
      const { name, inputText: text = "" } = item;
      return [
        { lane, messageId, index, kind, text, name, ...(callId !== undefined && { callId }) },
      ];
    }),
  );
}
