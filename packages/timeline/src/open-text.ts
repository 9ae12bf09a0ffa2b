import type { KeeperNote } from "@signalbox/protocol";
import type { TimelineState } from "./timeline.ts";

/** What is written of messages that have not settled: for the note `text_kept`, when their run dies. */
export function openText(state: TimelineState): KeeperNote<"text_kept">["blocks"] {
  const { open, growing } = state.reduce;
  return Object.entries(state.normalize.messages).flatMap(([lane, { messageId, blocks }]) =>
    blocks.flatMap(({ id, kind, settled }, index) => {
      const item = growing?.id === id ? growing : open[id];
      const text = item && "live" in item && "text" in item && item.live ? item.text : "";
      return settled || text === "" ? [] : [{ lane, messageId, index, kind, text }];
    }),
  );
}
