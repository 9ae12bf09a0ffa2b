import { escapeForTerminal } from "@signalbox/protocol/text";
import { parseArgs, type ParseArgsConfig } from "node:util";
import { UsageError } from "./usage-error.ts";

/** The options of a command; what makes no sense is a `UsageError`. */
export function parseOptions<T extends ParseArgsConfig>(
  config: T,
): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (failure) {
    throw UsageError.fromParseError(failure);
  }
}

export function parseChoice<T extends string>(
  flag: string,
  value: string,
  allowed: readonly T[],
): T {
  const found = allowed.find((choice) => choice === value);
  if (found === undefined) {
    throw new UsageError(
      `${flag} is one of ${allowed.join(", ")}, not "${escapeForTerminal(value)}".`,
    );
  }
  return found;
}

export function parseInteger(flag: string, value: string, most: number): number {
  const number = Number(value);
  if (Number.isInteger(number) && number >= 0 && number <= most) return number;
  throw new UsageError(`${flag} is a number from 0 to ${most}, not "${escapeForTerminal(value)}".`);
}
