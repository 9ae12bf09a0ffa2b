import {
  delta,
  init,
  message,
  messageEnd,
  messageStart,
  result,
  toolCall,
  toolResult,
} from "../hub/lines.ts";

const sentences = [
  "The reader keeps its place, and **nothing above it** moves while the text grows. ",
  "Each line is counted once; `commit()` comes before anyone is told.\n\n",
  "- the first of two points\n- the second, with a [link](https://example.com/a)\n\n",
  "```ts\nexport function add(a: number, b: number): number {\n  return a + b;\n}\n```\n\n",
  "| figure | value |\n|---|---|\n| tokens | 200 |\n| seconds | 20 |\n\n",
];

/** Markdown of so many tokens, a token being some four or five characters. */
export function tokens(count: number): string[] {
  const all: string[] = [];
  for (let nth = 0; all.length < count; nth++) {
    all.push(...(sentences[nth % sentences.length]?.match(/[\s\S]{1,5}/g) ?? []));
  }
  return all.slice(0, count);
}

const output = Array.from({ length: 12 }, (_, n) => `src/file-${n}.ts: checked`).join("\n");

/** A conversation of so many items: every third a call with its result. The last says `the end`. */
export function* conversation(items: number): Generator<string> {
  yield init();
  for (let nth = 0; nth < items - 2; nth++) {
    if (nth % 3 === 2) {
      yield toolCall(`call${nth}`, "Bash", { command: `npm run check -- --part ${nth}` });
      yield toolResult(`call${nth}`, output);
    } else {
      yield message(`msg_${nth}`, `Message ${nth}. ${sentences[nth % sentences.length] ?? ""}`);
    }
  }
  yield message("msg_end", `the end of ${items}`);
  yield result();
}

const TOKENS_A_MESSAGE = 400;

/**
 * What arrives while an agent works, token by token: messages of 400, after each a call whose result comes
 * in the middle of the next.
 */
export function* working(count: number): Generator<{ tokens: number; lines: string[] }> {
  for (let done = 0, nth = 0; done < count; done += TOKENS_A_MESSAGE, nth++) {
    const id = `msg_work${nth}`;
    const text = tokens(TOKENS_A_MESSAGE);
    yield { tokens: 0, lines: messageStart(id) };
    for (const [at, token] of text.entries()) {
      const lines = [delta(token)];
      if (nth > 0 && at === TOKENS_A_MESSAGE / 2) lines.push(toolResult(`work${nth - 1}`, output));
      yield { tokens: 1, lines };
    }
    const command = { command: `npm test -- part-${nth}`, description: `Part ${nth}` };
    yield {
      tokens: 0,
      lines: [...messageEnd(id, text.join("")), toolCall(`work${nth}`, "Bash", command)],
    };
  }
}
