import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { mathFromMarkdown } from "mdast-util-math";
import { gfm } from "micromark-extension-gfm";
import { math } from "micromark-extension-math";
import remend from "remend";

const options = {
  // A single dollar sign rarely means mathematics.
  extensions: [gfm(), math({ singleDollarTextMath: false })],
  mdastExtensions: [gfmFromMarkdown(), mathFromMarkdown()],
};

export type Root = ReturnType<typeof fromMarkdown>;
export type Node = Root | Root["children"][number];

export function parseBlock(text: string): Root {
  return fromMarkdown(text, options);
}

/** Parses the last block of a growing text. Open constructs, such as `**bold`, are closed. */
export function parseStreamingBlock(text: string): Root {
  return parseBlock(remend(text));
}
