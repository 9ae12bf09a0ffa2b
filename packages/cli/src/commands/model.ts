import { escapeForTerminal } from "@signalbox/protocol/text";
import { readFileSync } from "node:fs";
import { exampleNames, exampleScript, ModelError, startModel } from "@signalbox/model";
import { type ExitCode, exitCode } from "../exit-code.ts";
import type { CliCommand } from "../command.ts";
import { parseInteger, parseOptions } from "../options.ts";
import { UsageError } from "../usage-error.ts";

export const modelCommand: CliCommand = {
  help: `Usage: signalbox model [options]

Serves Anthropic's Messages API on loopback from a script, so that the real Claude Code runs with
no account and no network. Runs until it is stopped.

Options:
  --script FILE      Script to answer from. Without one, prompts are echoed unless they contain
                     directives
  --example NAME     Use one of the included scripts
  --list             List the included scripts
  --show NAME        Print an included script
  --port PORT        Port to listen on (default: any free port)
  --delay MS         Pause between two pieces of text (default: 0)
  --quiet            Do not log requests

Then, in another terminal:

  ANTHROPIC_BASE_URL=http://127.0.0.1:PORT ANTHROPIC_API_KEY=dummy claude`,
  run,
};

async function run(args: string[]): Promise<ExitCode> {
  const { values } = parse(args);
  if (values.list) {
    console.log(exampleNames().join("\n"));
    return exitCode.success;
  }
  if (values.show !== undefined) {
    console.log(readExample(values.show));
    return exitCode.success;
  }
  if (values.script !== undefined && values.example !== undefined) {
    throw new UsageError("Use either --script or --example.");
  }
  const script =
    values.example === undefined ? readScript(values.script) : readExample(values.example);
  const port = parseInteger("--port", values.port, 65_535);
  const chunkDelayMs = parseInteger("--delay", values.delay, 60_000);
  await using model = await startServer({
    script,
    port,
    chunkDelayMs,
    quiet: values.quiet === true,
  });
  console.log(model.url);
  await new Promise<void>((resolve) => process.on("SIGINT", resolve).on("SIGTERM", resolve));
  return exitCode.success;
}

function parse(args: string[]) {
  return parseOptions({
    args,
    options: {
      script: { type: "string" },
      example: { type: "string" },
      list: { type: "boolean" },
      show: { type: "string" },
      port: { type: "string", default: "0" },
      delay: { type: "string", default: "0" },
      quiet: { type: "boolean" },
    },
  });
}

async function startServer(options: {
  script: string;
  port: number;
  chunkDelayMs: number;
  quiet: boolean;
}) {
  const { script, port, chunkDelayMs, quiet } = options;
  const onRequest = ({ path }: { path: string }) => {
    if (!quiet) console.error(`${new Date().toISOString()} ${escapeForTerminal(path)}`);
  };
  try {
    return await startModel({ script, port, chunkDelayMs, onRequest });
  } catch (failure) {
    if (failure instanceof ModelError) throw new UsageError(failure.message);
    if ((failure as NodeJS.ErrnoException).code === "EADDRINUSE") {
      throw new UsageError(`Port ${port} is in use. Choose another port, or omit --port.`);
    }
    throw failure;
  }
}

function readScript(file: string | undefined): string {
  if (file === undefined) return "";
  try {
    return readFileSync(file, "utf8");
  } catch {
    throw new UsageError(`Couldn't read the script ${escapeForTerminal(file)}.`);
  }
}

function readExample(example: string): string {
  try {
    return exampleScript(example);
  } catch {
    throw new UsageError(
      `No example is called "${escapeForTerminal(example)}". Use --list to list them.`,
    );
  }
}
