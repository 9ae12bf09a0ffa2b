import { createCssVariablesTheme, createHighlighterCore } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";
import { type Language, loadGrammar } from "./languages.ts";
import type { HighlightReply, HighlightRequest } from "./messages.ts";
import { tokenKindFromColor, type TokenLine } from "./tokens.ts";

const theme = createCssVariablesTheme({ name: "signalbox", variablePrefix: "--code-" });
/** Uses JavaScript regular expressions: the page's content security policy does not allow WebAssembly. */
const highlighter = createHighlighterCore({
  themes: [theme],
  engine: createJavaScriptRegexEngine({ forgiving: true }),
});
const loaded = new Map<Language, Promise<void>>();

function load(language: Language): Promise<void> {
  const known = loaded.get(language);
  if (known) return known;
  const loading = Promise.all([highlighter, loadGrammar(language)]).then(([shiki, grammar]) =>
    shiki.loadLanguage(grammar.default),
  );
  loaded.set(language, loading);
  loading.catch(() => loaded.delete(language)); // The grammar is requested again when it is needed next.
  return loading;
}

async function highlightCode({ code, language }: HighlightRequest): Promise<TokenLine[]> {
  await load(language);
  const lines = (await highlighter).codeToTokensBase(code, {
    lang: language,
    theme: "signalbox",
    tokenizeMaxLineLength: 2000,
    // The limit per line. It runs in a worker, and a short limit would leave lines half highlighted.
    tokenizeTimeLimit: 3000,
  });
  return lines.map((line) =>
    line.map((token) => [token.content, tokenKindFromColor(token.color)] as const),
  );
}

addEventListener("message", ({ data }: MessageEvent<HighlightRequest>) => {
  const reply = (answer: HighlightReply) => postMessage(answer);
  highlightCode(data).then(
    (lines) => reply({ id: data.id, lines }),
    () => reply({ id: data.id }),
  );
});
