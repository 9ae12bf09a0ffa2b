export { type FollowOptions, TranscriptFollower } from "./follow-transcript.ts";
export { readFacts } from "./read-facts.ts";
export {
  getProjectName,
  isTranscriptName,
  openTranscript,
  TranscriptFiles,
  type TranscriptPlace,
} from "./transcript-files.ts";
