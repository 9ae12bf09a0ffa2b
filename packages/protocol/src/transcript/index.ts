/** Claude Code's transcripts: the files in which it keeps its conversations. */
export {
  type ConvertedLine,
  type ConverterOptions,
  type SubagentReference,
  TranscriptConverter,
} from "./converter.ts";
export {
  type FilePart,
  type ReaderOptions,
  type SubagentFile,
  type TranscriptBatch,
  type TranscriptCursor,
  TranscriptReader,
  type TranscriptSource,
} from "./reader.ts";
export { readTranscriptFacts, type TranscriptFacts } from "./transcript-facts.ts";
export type { TranscriptLine, TranscriptProblem } from "./transcript-line.ts";
export type { TurnState } from "./transcript-turn.ts";
