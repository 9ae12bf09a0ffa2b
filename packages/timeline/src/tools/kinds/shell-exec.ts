import type { JsonObject } from "@signalbox/protocol";
import { isObject } from "@signalbox/protocol/wire";
import {
  imageFrom,
  extractImages,
  stopNotice,
  extractText,
  isStopNotice,
} from "../../tool-payload/content.ts";
import type { ShellExec, ToolImage, ToolResult } from "../../tool-payload/payload.ts";
import {
  omitUndefined,
  number,
  stringify,
  stringifyOrUndefined,
  nonEmptyString,
} from "../../tool-payload/values.ts";

type Output = NonNullable<ShellExec["output"]>;

export function shellExecCall(input: JsonObject): ShellExec {
  return omitUndefined({
    kind: "shell_exec" as const,
    command: stringify(input["command"] ?? input["code"]),
    workDir: stringifyOrUndefined(input["cwd"]),
    description: stringifyOrUndefined(input["description"]),
    timeoutMs: number(input["timeout"]),
    background: input["run_in_background"] === true,
  });
}

export function shellExecResult(payload: ShellExec, result: ToolResult): ShellExec {
  const output = isObject(result.structured)
    ? fromStructured(result.structured, result)
    : fromText(extractText(result.content), result);
  return output ? { ...payload, output } : payload;
}

function fromStructured(structured: JsonObject, { content, isError }: ToolResult): Output {
  const stdout = stringify(structured["stdout"]);
  const images =
    extractImages(content) ?? extractImages(structured["structuredContent"]) ?? findPicture(stdout);
  const interrupted = structured["interrupted"] === true;
  const backgroundTaskId = stringifyOrUndefined(structured["backgroundTaskId"]);
  const exitMeaning = nonEmptyString(structured["returnCodeInterpretation"]);
  const fullOutputPath = nonEmptyString(structured["persistedOutputPath"]);
  const finished = !isError && !interrupted && !backgroundTaskId && !exitMeaning;
  return omitUndefined({
    exitCode: isError ? extractExitCode(extractText(content)) : finished ? 0 : undefined,
    exitMeaning,
    stdout: images && findPicture(stdout) ? "" : stdout,
    stderr: stringify(structured["stderr"]),
    interrupted,
    backgroundTaskId,
    backgroundOutputPath: backgroundTaskId && extractOutputFile(extractText(content)),
    truncated: fullOutputPath !== undefined || isCut(stdout),
    fullOutputPath,
    images,
  });
}

/**
 * A command that fails returns only text. Its two streams are merged: 2.1.7 puts stderr first,
 * 2.1.325 keeps the order of printing, and both report the mixture as stdout when a command
 * succeeds.
 */
function fromText(whole: string, { content, isError }: ToolResult): Output | undefined {
  const exitCode = isError ? extractExitCode(whole) : undefined;
  const interrupted = isError && (isStopNotice(whole) || aborted.test(whole));
  const backgroundTaskId = /^Command [\w ]+ with ID: ([\w-]+)/.exec(whole)?.[1];
  // An error without an exit code and output explains why the command never ran.
  if (isError && exitCode === undefined && !interrupted) return undefined;
  const isStopped = isError && exitCode === undefined && isStopNotice(whole); // and there is no output
  const finished = !isError && !interrupted && !backgroundTaskId;
  const hasNoOutput = isStopped || backgroundTaskId || whole === "(Bash completed with no output)";
  return omitUndefined({
    exitCode: exitCode ?? (finished ? 0 : undefined),
    stdout: hasNoOutput ? "" : isError ? extractOutput(whole) : whole,
    stderr: "",
    interrupted,
    backgroundTaskId,
    backgroundOutputPath: backgroundTaskId && extractOutputFile(whole),
    truncated: isCut(whole),
    fullOutputPath: /Full output saved to: (\S+)/.exec(readPersistedOutput(whole))?.[1],
    images: extractImages(content),
  });
}

function extractOutputFile(whole: string): string | undefined {
  return /Output is being written to: (\/.+?\.output)(?![\w.-]*\w)/.exec(whole.slice(0, 8192))?.[1];
}

function extractOutput(whole: string): string {
  const printed = whole.replace(stopNotice, "$1").replace(/^Exit code -?\d+\n?/, "");
  return printed.replace(aborted, "");
}

const aborted = /\n?<error>Command was aborted before completion<\/error>/;

function extractExitCode(whole: string): number | undefined {
  const code = /^Exit code (-?\d+)/.exec(whole)?.[1];
  return code === undefined ? undefined : number(Number(code));
}

function readPersistedOutput(whole: string): string {
  return whole.startsWith("<persisted-output>") ? whole.slice(0, 1000) : "";
}

const cutMark = /^\.\.\. \[\d+ (?:lines|characters) truncated\] \.\.\.$/m;

function isCut(whole: string): boolean {
  return readPersistedOutput(whole) !== "" || cutMark.test(whole);
}

/** If a command prints a picture, its stdout is a data URL. */
function findPicture(stdout: string): readonly ToolImage[] | undefined {
  const head = /^data:(image\/[\w.+-]+);base64,/.exec(stdout.slice(0, 100));
  return head ? [imageFrom(stdout.slice(head[0].length).trim(), head[1])] : undefined;
}
