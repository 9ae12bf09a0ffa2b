import type { ExportBlock } from "./export-blocks.ts";
import type { ExportHead } from "./export-head.ts";

export function formatMarkdownHead({ title, folder, at }: ExportHead): string {
  return `# ${title.replaceAll(/\s+/g, " ")}\n\n\`${folder}\` · ${at}\n`;
}

/** A block as Markdown, with an empty line before it. */
export function formatMarkdown(block: ExportBlock): string {
  const lines = formatLines(block).join("\n").split("\n");
  const margin = "> ".repeat(block.depth);
  return `\n${lines.map((line) => (margin + line).trimEnd()).join("\n")}\n`;
}

function formatLines(block: ExportBlock): string[] {
  switch (block.kind) {
    case "prompt":
      return ["## User", "", block.text];
    case "text":
      return [block.text];
    case "thinking":
      return quote(`*Thought:* ${block.text}`);
    case "call": {
      const state = block.isError ? " — failed" : "";
      const sections = block.sections.flatMap(({ text, language }) => fence(text, language));
      return [`**${block.name}** ${inlineCode(block.title)}${state}`, ...sections];
    }
    case "note":
    case "end":
      return [`*${block.text.replaceAll("*", "\\*").replaceAll(/\s+/g, " ")}*`];
    default:
      return block satisfies never;
  }
}

function quote(text: string): string[] {
  return text.split("\n").map((line) => `> ${line}`);
}

/** A fence that is longer than any in the text. */
function fence(text: string, language: string): string[] {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const ticks = "`".repeat(longest + 1);
  return ["", ticks + language, text.replace(/\n$/, ""), ticks];
}

function inlineCode(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  if (line === "") return "";
  return line.includes("`") ? `\`\` ${line} \`\`` : `\`${line}\``;
}
