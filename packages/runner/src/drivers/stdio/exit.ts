import { type Decoded, decode, type Line, resultError } from "@signalbox/protocol";
import type { Launch } from "../launch.ts";
import { type RunEnd, runEnd } from "../run-end.ts";

/** A process that leaves this soon after a resume did not manage to resume. */
export const RESUME_GRACE_MS = 5000;

export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
  /** What we did to it, if anything. */
  readonly stopped: RunEnd<"stopped">["how"] | undefined;
  readonly livedMs: number;
  readonly launch: Launch;
  readonly lastLines: readonly Line[];
  readonly stderr: string;
}

/** What an exit means. The order matters: the most telling reason comes first. */
export function meaningOf(exit: Exit): RunEnd {
  const { stderr, code, signal, launch } = exit;
  const rejected = rejectedOption(stderr);
  if (rejected && code !== 0) return runEnd("option-rejected", rejected, stderr);
  const last = exit.lastLines.map(decode);
  const missing = missingConversation(last, stderr);
  if (missing !== undefined && code !== 0) {
    return runEnd("resume-failed", { id: launch.resume?.id ?? "", said: missing }, stderr);
  }
  if (exit.stopped) return runEnd("stopped", { how: exit.stopped }, stderr);
  const resumed = launch.resume !== undefined || launch.continue === true;
  if (resumed && exit.livedMs < RESUME_GRACE_MS) {
    const said = lastWords(stderr) || `it left after ${exit.livedMs} ms`;
    return runEnd("resume-failed", { id: launch.resume?.id ?? "", said }, stderr);
  }
  const login = missingLogin(last);
  if (login !== undefined) return runEnd("not-logged-in", { said: login }, stderr);
  if (code === 0) return runEnd("clean", {}, stderr);
  return runEnd("crashed", { code, signal }, stderr);
}

const unknownOption = /unknown option '(--?[\w-]+)/;
const badValue = /option '(?:-\w, )?(--[\w-]+)[^']*' argument '[^']*' is invalid\.?.*/;
/** The program's own checks of options it does know, such as `--session-id` with a used id. */
const refused = /^(?:Error|error): (?=.*--[\w-]+)(.*)$/m;

function rejectedOption(stderr: string): { option: string; said: string } | undefined {
  const found = unknownOption.exec(stderr) ?? badValue.exec(stderr);
  if (found) return { option: found[1] ?? "", said: firstLine(stderr, found.index) };
  const said = refused.exec(stderr)?.[1];
  return said === undefined ? undefined : { option: /--[\w-]+/.exec(said)?.[0] ?? "", said };
}

function missingConversation(last: readonly Decoded[], stderr: string): string | undefined {
  const said = [...last.map(failureSaid), stderr].join("\n");
  return /No conversation found[^\n]*|No message found with[^\n]*/.exec(said)?.[0];
}

/** The agent stays up without a login and says so in every turn: the last turn tells. */
export function missingLogin(last: readonly Decoded[]): string | undefined {
  const failed = last.findLast((line) => line.kind === "known" && line.message.type === "result");
  const said = failed && failureSaid(failed);
  return said && /\/login|Invalid API key|authentication_failed/i.test(said) ? said : undefined;
}

function failureSaid(line: Decoded): string {
  if (line.kind !== "known" || line.message.type !== "result") return "";
  return resultError(line.message) ?? "";
}

function firstLine(text: string, at: number): string {
  const from = text.lastIndexOf("\n", at) + 1;
  return text.slice(from).split("\n", 1)[0]?.trim() ?? "";
}

function lastWords(stderr: string): string {
  return stderr.trim().split("\n").at(-1)?.slice(0, 300) ?? "";
}
