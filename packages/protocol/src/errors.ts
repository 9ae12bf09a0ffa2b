import type { CloseReason } from "./close-reason.ts";

/** Every error that this package raises: its code, its data and its message. */
const failures = {
  CONNECTION_CLOSED: (d: { reason: CloseReason }) => d.reason.sentence,
  OUTBOX_FULL: (d: { limit: number }) =>
    `The agent has stopped reading: ${d.limit} bytes already wait for it, so nothing more is accepted. Interrupt or stop it.`,
  REQUEST_REFUSED: (d: { subtype: string; answer: string; unsupported: boolean }) =>
    d.unsupported
      ? `The agent does not know the request "${d.subtype}": ${d.answer}`
      : `The agent refused "${d.subtype}": ${d.answer}`,
  REQUEST_TIMED_OUT: (d: { subtype: string; timeoutMs: number }) =>
    `The agent did not answer "${d.subtype}" within ${d.timeoutMs / 1000} s.`,
  REQUEST_ABORTED: (d: { subtype: string }) => `The request "${d.subtype}" was withdrawn.`,
  ANSWER_MALFORMED: (d: { subtype: string; why: string }) =>
    `The answer to "${d.subtype}" has a shape we do not know: ${d.why}`,
  LAUNCH_FAILED: (d: { reason: CloseReason }) => d.reason.sentence,
  BAD_INPUT: (d: { what: string; why: string }) => `${d.what}: ${d.why}`,
  FOLDER_IN_USE: (d: { folder: string; by: string }) =>
    `Another ${d.by} works in ${d.folder} already, and two would destroy each other's work. Stop it first, or name another folder.`,
  NOT_CAPABLE: (d: { driver: string; capability: string }) =>
    `The driver ${d.driver} cannot do this (${d.capability}).`,
  CANNOT_LISTEN: (d: { why: string }) => d.why,
};

export type FailureCode = keyof typeof failures;
export type FailureData<C extends FailureCode> = Parameters<(typeof failures)[C]>[0];

// A registered symbol also matches when two copies of this package are loaded.
const brand = Symbol.for("signalbox.error");

export class SignalboxError<C extends FailureCode = FailureCode> extends Error {
  override readonly name = "SignalboxError";
  readonly [brand] = true;
  readonly code: C;
  readonly data: FailureData<C>;

  constructor(code: C, data: FailureData<C>, options?: ErrorOptions) {
    super((failures[code] as (data: FailureData<C>) => string)(data), options);
    this.code = code;
    this.data = data;
  }

  static is<C extends FailureCode>(value: unknown, code: C): value is SignalboxError<C> {
    return SignalboxError.isAny(value) && value.code === code;
  }

  static isAny(value: unknown): value is SignalboxError {
    return value instanceof Error && brand in value;
  }
}
