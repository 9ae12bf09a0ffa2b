import type { Transport } from "@signalbox/protocol/wire";
import type { AgentOptions } from "../command-line/options.ts";

/** Writes the agent's messages in the format of `--output-format`. */
export interface Sink {
  say(line: string): Promise<void>;
  /** Called after the last line. */
  end(): Promise<void>;
}

export function sinkFor(
  options: AgentOptions,
  transport: Transport,
  print: (text: string) => Promise<void>,
): Sink {
  if (options.outputFormat === "stream-json") {
    return { say: (line) => transport.send(line), end: () => Promise.resolve() };
  }
  const lines: string[] = [];
  let result: string | undefined;
  return {
    say(line) {
      if (isResult(line)) result = withoutUsageDelta(line);
      if (options.verbose && !isForHosts(line)) {
        lines.push(isResult(line) ? withoutUsageDelta(line) : line);
      }
      return Promise.resolve();
    },
    async end() {
      if (options.outputFormat === "json") {
        const all = options.verbose ? `[${lines.join(",")}]` : result;
        if (all !== undefined) await print(`${all}\n`);
      } else if (result !== undefined) {
        const fields = JSON.parse(result) as ResultFields;
        const text = resultText(fields, options);
        const isWhole = fields.subtype !== "success" || text.endsWith("\n");
        await print(isWhole ? text : `${text}\n`);
      }
    },
  };
}

/**
 * Whether a line is only for hosts. Claude Code 2.1.325 reports a denial as a message only in a
 * stream; the result lists denials in any case.
 */
function isForHosts(line: string): boolean {
  if (!line.includes('"subtype":"permission_denied"')) return false;
  return (JSON.parse(line) as ResultFields).subtype === "permission_denied";
}

function isResult(line: string): boolean {
  return line.includes('"type":"result"') && (JSON.parse(line) as ResultFields).type === "result";
}

/** Removes the delta of the usage: the reader of a single result has no earlier result to compare with. */
function withoutUsageDelta(line: string): string {
  const { model_usage_since_last_result: _, ...fields } = JSON.parse(line) as {
    model_usage_since_last_result?: unknown;
  };
  return JSON.stringify(fields);
}

interface ResultFields {
  readonly type: string;
  readonly subtype: string;
  readonly result?: string;
  readonly errors?: readonly string[];
}

/** Returns the text of a result for a person. */
function resultText(
  { subtype, result, errors }: ResultFields,
  { maxTurns, maxBudgetUsd }: Pick<AgentOptions, "maxTurns" | "maxBudgetUsd">,
): string {
  switch (subtype) {
    case "success":
      return result ?? "";
    case "error_max_turns":
      return `Error: Reached max turns (${maxTurns})`;
    case "error_max_budget_usd":
      return `Error: Exceeded USD budget (${maxBudgetUsd})`;
    case "error_max_structured_output_retries":
      return `Error: ${errors?.[0] ?? "Failed to provide valid structured output"}`;
    default:
      return errors?.length && !errors[0]?.startsWith("[") ? errors.join("\n") : "Execution error";
  }
}
