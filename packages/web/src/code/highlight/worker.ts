import { createCssVariablesTheme, createHighlighterCore } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";
import { type Language, loadGrammar } from "./languages.ts";
import type { HighlightReply, HighlightRequest } from "./messages.ts";
import { tokenKindFromColor, type TokenLine } from "./tokens.ts";

const theme = createCssVariablesTheme({ name: "signalbox", variablePrefix: "--code-" });
/** JavaScript's own expressions: nothing has to be compiled, which the page's policy would refuse. */
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
  loading.catch(() => loaded.delete(language)); // the network may be back when it is next needed
  return loading;
}

async function highlightCode({ code, language }: HighlightRequest): Promise<TokenLine[]> {
  await load(language);
  const lines = (await highlighter).codeToTokensBase(code, {
    lang: language,
    theme: "signalbox",
    tokenizeMaxLineLength: 2000,
    // For one line, in a thread where nobody waits: a short limit leaves half a line in a wrong colour.
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
