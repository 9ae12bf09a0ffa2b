import type { ScriptStep } from "../script/types.ts";
import { pieces, words } from "./pieces.ts";

/** The steps that become a content block. */
export type BlockStep = Extract<ScriptStep, { do: "say" | "think" | "tool" | "flood" | "long" }>;

/** What is added to a block at once, and how many of its kind may come in a second. */
type Delta = { delta: WireDelta; perSecond?: number };
export type WireDelta =
  | { type: "text_delta"; text: string }
  | { type: "thinking_delta"; thinking: string }
  | { type: "signature_delta"; signature: string }
  | { type: "input_json_delta"; partial_json: string };

/** A block's deltas, made while they are read. */
export function* createDeltas(step: BlockStep): Generator<Delta> {
  switch (step.do) {
    case "say":
      for (const word of words(step.text)) yield text(word);
      break;
    case "think":
      for (const thinking of words(step.text)) {
        yield { delta: { type: "thinking_delta", thinking } };
      }
      yield { delta: { type: "signature_delta", signature: signature(step.text) } };
      break;
    case "tool":
      for (const partial_json of pieces(JSON.stringify(step.input))) {
        yield { delta: { type: "input_json_delta", partial_json } };
      }
      break;
    case "flood":
      yield* flood(step.words, step.perSecond);
      break;
    case "long":
      yield text("x".repeat(step.bytes));
      break;
    default:
      step satisfies never;
  }
}

/** How many characters a delta adds. */
export function countCharacters(delta: WireDelta): number {
  switch (delta.type) {
    case "text_delta":
      return delta.text.length;
    case "thinking_delta":
      return delta.thinking.length;
    case "input_json_delta":
      return delta.partial_json.length;
    case "signature_delta":
      return 0;
    default:
      return delta satisfies never;
  }
}

function* flood(words: number, perSecond?: number): Generator<Delta> {
  for (let n = 1; n <= words; n++) {
    const word = text(n === words ? `w${n}` : `w${n} `);
    yield perSecond ? { ...word, perSecond } : word;
  }
}

function text(text: string): Delta {
  return { delta: { type: "text_delta", text } };
}

/** Stands where the API signs a thought; Claude Code keeps it and sends it back unread. */
function signature(text: string): string {
  return `scripted-${text.length.toString(36)}`;
}
