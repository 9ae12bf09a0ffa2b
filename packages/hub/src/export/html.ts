import type { ExportBlock } from "./export-blocks.ts";
import type { ExportHead } from "./export-head.ts";
import { exportStyle } from "./html-style.ts";

/** Nothing is loaded, and nothing runs: the file is read as it is, with or without a network. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

export function formatHtmlHead({ title, folder, at }: ExportHead): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(title)}</title>
<style>${exportStyle}</style>
</head>
<body>
<header><h1>${escapeHtml(title)}</h1><p><span class="chip">${escapeHtml(folder)}</span> <span class="faint">${escapeHtml(at)}</span></p></header>
<main>
`;
}

export const HTML_END = `</main>
<footer class="faint">Exported from Signalbox</footer>
</body>
</html>
`;

/** A block as HTML. */
export function formatHtml(block: ExportBlock): string {
  const inside = formatBlock(block);
  return `${'<div class="lane">'.repeat(block.depth)}${inside}${"</div>".repeat(block.depth)}\n`;
}

function formatBlock(block: ExportBlock): string {
  switch (block.kind) {
    case "prompt":
      return `<section class="prompt">${formatPlain(block.text)}</section>`;
    case "text":
      return `<section class="prose">${formatProse(block.text)}</section>`;
    case "thinking":
      return `<details class="quiet"><summary>Thought</summary><div class="prose">${formatProse(block.text)}</div></details>`;
    case "call":
      return formatCall(block);
    case "note":
    case "end": {
      if (block.text === "") return "";
      return `<p class="note${block.isError ? " failed" : ""}">${escapeHtml(block.text)}</p>`;
    }
    default:
      return block satisfies never;
  }
}

function formatCall({
  name,
  title,
  isError,
  sections,
}: Extract<ExportBlock, { kind: "call" }>): string {
  const state = isError ? ` <span class="failed">failed</span>` : "";
  const head = `<b>${escapeHtml(name)}</b> <code>${escapeHtml(title)}</code>${state}`;
  if (sections.length === 0) return `<div class="call"><div class="head">${head}</div></div>`;
  const body = sections.map(({ text, language }) => formatCode(text, language)).join("");
  return `<details class="call"><summary class="head">${head}</summary>${body}</details>`;
}

function formatCode(text: string, language: string): string {
  if (language !== "diff") return `<pre><code>${escapeHtml(text)}</code></pre>`;
  const lines = text.split("\n").map((line) => {
    const look = line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : undefined;
    return look ? `<span class="${look}">${escapeHtml(line)}</span>` : escapeHtml(line);
  });
  return `<pre><code>${lines.join("\n")}</code></pre>`;
}

function formatPlain(text: string): string {
  return `<p>${escapeHtml(text)}</p>`;
}

/** Markdown as HTML. HTML in it stays text, links lead to the web alone, and pictures are not loaded. */
function formatProse(text: string): string {
  const html = Bun.markdown.html(text, {
    tables: true,
    strikethrough: true,
    tasklists: true,
    noHtmlBlocks: true,
    noHtmlSpans: true,
  });
  return html
    .replaceAll(/<img src="([^"]*)" alt="([^"]*)"[^>]*>/g, (_, source: string, alt: string) =>
      source.startsWith("data:image/") ? `<img src="${source}" alt="${alt}">` : `[${alt}]`,
    )
    .replaceAll(/<a href="([^"]*)"[^>]*>/g, (_, target: string) =>
      /^(?:https?:|mailto:)/i.test(target)
        ? `<a href="${target}" rel="noreferrer noopener">`
        : "<a>",
    );
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
