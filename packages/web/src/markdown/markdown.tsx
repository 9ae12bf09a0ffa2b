import { memo, useDeferredValue, useMemo } from "react";
import { MarkedText } from "../text/marked-text.tsx";
import { splitBlocks, collectDefinitions } from "./blocks.ts";
import { useCompleteWords } from "./complete-words.ts";
import { delimitMath } from "./delimit-math.ts";
import { renderTree } from "./nodes.tsx";
import { parseBlock, parseStreamingBlock } from "./parse.ts";

/** Longer paragraphs are not parsed, which could take longer than a frame. */
const MAX_PARSED_LENGTH = 60_000;

/** Renders Markdown. While it grows (`live`), only its last block is parsed and rendered again. */
export const Markdown = memo(function Markdown({
  text,
  live = false,
}: {
  text: string;
  live?: boolean;
}) {
  // Typing and scrolling come first.
  const shown = useCompleteWords(useDeferredValue(text), live);
  const blocks = useMemo(() => splitBlocks(shown), [shown]);
  const definitions = useMemo(() => collectDefinitions(shown), [shown]);
  return (
    <div className="prose">
      {blocks.map((block, at) => (
        <Block
          key={at}
          text={block}
          definitions={block.includes("[") ? definitions : ""}
          growing={live && at === blocks.length - 1}
        />
      ))}
    </div>
  );
});

const Block = memo(function Block(props: { text: string; definitions: string; growing: boolean }) {
  const { text, definitions, growing } = props;
  return useMemo(() => {
    const fenced = /^\s*(?:```|~~~)/.test(text);
    if (text.length > MAX_PARSED_LENGTH && !fenced) {
      return (
        <p className="whitespace-pre-wrap">
          <MarkedText text={text} />
        </p>
      );
    }
    const source = fenced ? text : delimitMath(text);
    if (growing) return renderTree(parseStreamingBlock(source), Number.POSITIVE_INFINITY, true);
    return renderTree(parseBlock(`${source}\n\n${definitions}`), source.length + 1, false);
  }, [text, definitions, growing]);
});
