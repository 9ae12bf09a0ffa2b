export { type FollowOptions, TranscriptFollower } from "./follow-transcript.ts";
export {
  getProjectName,
  isTranscriptName,
  openTranscript,
  TranscriptFiles,
  type TranscriptPlace,
} from "./transcript-files.ts";
