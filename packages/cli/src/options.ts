import { escapeForTerminal } from "@signalbox/protocol/text";
import { parseArgs, type ParseArgsConfig } from "node:util";
import { UsageError } from "./usage-error.ts";

/** Parses the options of a command. Throws a `UsageError` if they are not valid. */
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
      `${flag} must be one of ${allowed.join(", ")}, not "${escapeForTerminal(value)}".`,
    );
  }
  return found;
}

export function parseInteger(flag: string, value: string, max: number): number {
  const number = Number(value);
  if (Number.isInteger(number) && number >= 0 && number <= max) return number;
  throw new UsageError(
    `${flag} must be a whole number from 0 to ${max}, not "${escapeForTerminal(value)}".`,
  );
}

export function parsePositiveNumber(flag: string, value: string): number {
  const number = Number(value);
  if (Number.isFinite(number) && number > 0) return number;
  throw new UsageError(
    `${flag} must be a number greater than 0, not "${escapeForTerminal(value)}".`,
  );
}

/** Returns the only argument of a command. Throws a `UsageError` with this message if there are none or several. */
export function requireOneArgument(positionals: readonly string[], message: string): string {
  const [argument, ...others] = positionals;
  if (argument === undefined || others.length > 0) throw new UsageError(message);
  return argument;
}
