import { type Decoded, decode, type Line, readResultError } from "@signalbox/protocol";
import type { Launch } from "../../launch/launch.ts";
import { type RunEnd, createRunEnd } from "../../launch/run-end.ts";

/** A process that leaves this soon after a resume, without having worked, did not manage to resume. */
const RESUME_GRACE_MS = 5000;

export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
  /** What we had done to it by then, if anything. */
  readonly stopReason: RunEnd<"stopped">["how"] | undefined;
  readonly lifetimeMs: number;
  readonly launch: Launch;
  readonly lastLines: readonly Line[];
  readonly stderr: string;
}

/** What an exit means. The order matters: the most telling reason comes first. */
export function classifyExit(exit: Exit): RunEnd {
  const { stderr, code, signal, launch, stopReason } = exit;
  const last = exit.lastLines.map(decode);
  const failedByItself = code !== null && code !== 0 && stopReason === undefined;
  const rejected = failedByItself && last.length === 0 ? rejectedOption(stderr) : undefined;
  if (rejected) return createRunEnd("option-rejected", rejected, stderr);
  const resumeError = resumeFailure(exit, last, failedByItself);
  if (resumeError !== undefined) {
    const { resume } = launch;
    return createRunEnd(
      "resume-failed",
      { ...(resume && { id: resume.id }), said: resumeError },
      stderr,
    );
  }
  const login = missingLogin(last);
  if (login !== undefined) return createRunEnd("not-logged-in", { said: login }, stderr);
  if (stopReason) return createRunEnd("stopped", { how: stopReason }, stderr);
  if (code === 0) return createRunEnd("clean", {}, stderr);
  return createRunEnd("crashed", { code, signal }, stderr);
}

const unknownOption = /unknown option '(--?[\w-]+)/;
const badValue = /option '(?:-\w, )?(--[\w-]+)[^']*' argument '[^']*' is invalid\.?.*/;
/** The program's own checks of options it does know, such as `--session-id` with a used id. */
const refused = /^(?:Error|error): (?=.*--[\w-]+)(.*)$/m;

function rejectedOption(stderr: string): { option: string; said: string } | undefined {
  const found = unknownOption.exec(stderr) ?? badValue.exec(stderr);
  if (found) return { option: found[1] ?? "", said: lineAround(stderr, found.index) };
  const errorText = refused.exec(stderr)?.[1];
  return errorText === undefined
    ? undefined
    : { option: /--[\w-]+/.exec(errorText)?.[0] ?? "", said: errorText };
}

function resumeFailure(
  exit: Exit,
  last: readonly Decoded[],
  failedByItself: boolean,
): string | undefined {
  if (!exit.launch.resume && exit.launch.continue !== true) return undefined;
  const errorText = [...last.map(findFailureText), exit.stderr].join("\n");
  const missing = /No conversation found[^\n]*|No message found with[^\n]*/.exec(errorText)?.[0];
  if (missing !== undefined && failedByItself) return missing;
  // One that was killed says nothing about the conversation: the next run takes it up again.
  const leftByItself = exit.signal === null && !exit.stopReason;
  const early = exit.lifetimeMs < RESUME_GRACE_MS && leftByItself && !last.some(showsWork);
  return early ? lastStderrLines(exit.stderr) || `it left after ${exit.lifetimeMs} ms` : undefined;
}

/** The agent stays up without a login and says so in every turn: the last turn tells. */
function missingLogin(last: readonly Decoded[]): string | undefined {
  const failed = last.findLast((line) => line.kind === "known" && line.message.type === "result");
  const failureMessage = failed && findFailureText(failed);
  const login = /Not logged in|Please run \/login|Invalid API key|authentication_failed/i;
  return failureMessage && login.test(failureMessage) ? failureMessage : undefined;
}

function showsWork(line: Decoded): boolean {
  if (line.kind !== "known") return false;
  const { message } = line;
  if (message.type === "result") return readResultError(message) === undefined;
  return message.type === "assistant" || message.type === "stream_event";
}

function findFailureText(line: Decoded): string {
  if (line.kind !== "known" || line.message.type !== "result") return "";
  return readResultError(line.message) ?? "";
}

function lineAround(text: string, at: number): string {
  const from = text.lastIndexOf("\n", at) + 1;
  return text.slice(from).split("\n", 1)[0]?.trim() ?? "";
}

function lastStderrLines(stderr: string): string {
  return stderr.trim().split("\n").at(-1)?.slice(0, 300) ?? "";
}
