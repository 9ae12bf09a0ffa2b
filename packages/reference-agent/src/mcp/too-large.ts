import type { ContentBlock } from "@signalbox/agent";
import type { Session } from "../session.ts";
import { keepOutput } from "../files/kept-output.ts";
import { instructions, type SerializedContent } from "./reading-advice.ts";
import type { McpTool } from "./tool-list.ts";

const DEFAULT_TOKENS = 25_000;
const CHARS_PER_TOKEN = 4;
const IMAGE_CHARS = 1600 * CHARS_PER_TOKEN;

type Content = string | readonly ContentBlock[];

/** Returns the part of a result for the model: the whole, or where it was stored. */
export async function fitResult(
  session: Session,
  tool: McpTool,
  content: Content,
): Promise<Content> {
  const { environment } = session.context;
  const maxTokens = Number(environment["MAX_MCP_OUTPUT_TOKENS"]) || DEFAULT_TOKENS;
  const room = maxTokens * CHARS_PER_TOKEN;
  const blocks = typeof content === "string" ? [] : content;
  const hasImage = blocks.some(({ type }) => type === "image");
  if (tool.maxChars !== undefined && !hasImage) return content;
  const size = typeof content === "string" ? content.length : sum(blocks.map(getChars));
  if (size <= room) return content;
  return hasImage
    ? omitOverflowingBlocks(blocks, room, maxTokens)
    : storeResult(session, tool, serializeContent(content));
}

async function storeResult(
  session: Session,
  tool: McpTool,
  spelled: SerializedContent,
): Promise<string> {
  const clean = (name: string) => name.replace(/[^a-zA-Z0-9_-]/g, "_");
  const name = `mcp-${clean(tool.server)}-${clean(tool.name)}-${Date.now()}.txt`;
  return instructions(spelled, await keepOutput(session, name, spelled.text));
}

/** Converts content to text: a single text as it is, anything else as JSON. */
function serializeContent(content: Content): SerializedContent {
  if (typeof content === "string") return { text: content, json: JSON.parse(content) as unknown };
  const [first, ...rest] = content;
  if (rest.length === 0 && typeof first?.["text"] === "string") return { text: first["text"] };
  return { text: JSON.stringify(content, null, 2), json: content };
}

/** Omits blocks that do not fit. Images are not stored a second time. */
function omitOverflowingBlocks(
  blocks: readonly ContentBlock[],
  room: number,
  maxTokens: number,
): ContentBlock[] {
  let left = room;
  const fitting = blocks.flatMap((block): ContentBlock[] => {
    const size = getChars(block);
    const text = typeof block["text"] === "string" ? block["text"].slice(0, left) : undefined;
    if (text === undefined && size > left) return [{ type: "text", text: LEFT_OUT }];
    left -= Math.min(size, left);
    if (text === undefined) return [block];
    return text === "" ? [] : [{ ...block, text }];
  });
  return [...fitting, { type: "text", text: describeTruncation(maxTokens) }];
}

const LEFT_OUT = "[A picture was left out: there was no room for it]";
const describeTruncation = (maxTokens: number): string =>
  `\n\n[OUTPUT TRUNCATED - exceeded ${maxTokens} token limit]\n\nOnly its beginning stands above. If the server can page or filter, ask it for the parts that you need; if it cannot, tell the user that you have seen a part only.`;

const getChars = ({ text }: ContentBlock): number =>
  typeof text === "string" ? text.length : IMAGE_CHARS;

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
