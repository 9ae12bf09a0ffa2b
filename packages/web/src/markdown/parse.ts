import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { mathFromMarkdown } from "mdast-util-math";
import { gfm } from "micromark-extension-gfm";
import { math } from "micromark-extension-math";
import remend from "remend";

const options = {
  // One dollar is money or a variable far more often than mathematics.
  extensions: [gfm(), math({ singleDollarTextMath: false })],
  mdastExtensions: [gfmFromMarkdown(), mathFromMarkdown()],
};

/** A tree of markdown, and any node in it. */
export type Root = ReturnType<typeof fromMarkdown>;
export type Node = Root | Root["children"][number];

export function parseBlock(text: string): Root {
  return fromMarkdown(text, options);
}

/** The last block of a growing text: what is open (`**bold`, a link's address) is closed for the eye. */
export function parseStreamingBlock(text: string): Root {
  return parseBlock(remend(text));
}
