import { askAside } from "../model/aside.ts";
import type { ApiBlock } from "../model/conversation.ts";
import { addRule } from "../permission/verdict.ts";
import type { Schema } from "../json/schema.ts";
import { shape, string, text, type Tool } from "../tool.ts";

const domains = (description: string): Schema => ({
  type: "array",
  items: { type: "string" },
  description,
});

export const webSearch: Tool = {
  name: "WebSearch",
  description:
    "Searches the web and gives what was found, with addresses. Name the sources in the answer.",
  input: shape(
    { query: { ...string("What to search for"), minLength: 2 } },
    {
      allowed_domains: domains("Only these sites"),
      blocked_domains: domains("Never these sites"),
    },
  ),
  beginsAtOnce: () => true,
  sideBySide: () => true,
  describe: (input) => text(input, "query"),
  doing: (input) => `Searching the web for ${text(input, "query")}`,
  async refuse(input) {
    return input["allowed_domains"] !== undefined && input["blocked_domains"] !== undefined
      ? "Error: Cannot specify both allowed_domains and blocked_domains in the same request"
      : undefined;
  },
  judge: () => ({
    behavior: "pass",
    suggestions: [addRule("WebSearch", undefined, "localSettings")],
  }),
  async run(input, { session, signal }) {
    const began = performance.now();
    const query = text(input, "query");
    const { allowed_domains, blocked_domains } = input;
    const answer = await askAside(session, {
      model: session.modelName,
      system: "You search the web for an assistant and report what you found.",
      messages: [{ role: "user", content: `Perform a web search for the query: ${query}` }],
      tools: [
        {
          type: "web_search_20250305",
          name: "web_search",
          max_uses: 8,
          ...(allowed_domains === undefined ? {} : { allowed_domains }),
          ...(blocked_domains === undefined ? {} : { blocked_domains }),
        },
      ],
      signal,
    });
    const results = answer.blocks.flatMap(getResult);
    const searchCount = answer.blocks.filter(({ type }) => type === "server_tool_use").length;
    const lines = results.map((one) =>
      typeof one === "string" ? one : `Links: ${JSON.stringify(one.content)}`,
    );
    return {
      content: `Web search results for query: "${query}"\n\n${lines.join("\n\n")}\n\n\nName the sources that you use in your answer, as Markdown links.`,
      structured: {
        query,
        results,
        durationSeconds: (performance.now() - began) / 1000,
        searchCount,
      },
    };
  },
};

type Result = string | { tool_use_id: unknown; content: { title: unknown; url: unknown }[] };
function getResult(block: ApiBlock): Result[] {
  if (block.type === "text" && typeof block["text"] === "string") return [block["text"].trim()];
  if (block.type !== "web_search_tool_result") return [];
  const { content } = block;
  if (!Array.isArray(content)) {
    const { error_code: code } = (content ?? {}) as { error_code?: string };
    return [`Web search error: ${code ?? "unknown"}`];
  }
  const pages = (content as Record<string, unknown>[]).map(({ title, url }) => ({ title, url }));
  return [{ tool_use_id: block["tool_use_id"], content: pages }];
}
