import { errorMessage } from "@signalbox/protocol/text";
import { SignalboxError } from "@signalbox/protocol";
import { toRunEnd } from "@signalbox/host/launch";
import type { FrameToHubOfType } from "@signalbox/api/link";

/** An order of the hub cannot be carried out. */
export class OrderError extends Error {
  override readonly name = "Refused";
  readonly code: string;
  constructor(code: string, detail: string) {
    super(detail);
    this.code = code;
  }
}

type OrderProblem = NonNullable<FrameToHubOfType<"done">["problem"]>;

/** Converts an error to the problem that is reported to the hub. */
export function toProblem(failure: unknown): OrderProblem {
  const end = toRunEnd(failure);
  if (end) return { code: end.kind, detail: end.sentence };
  if (failure instanceof OrderError) return { code: failure.code, detail: failure.message };
  const code = SignalboxError.isAny(failure) ? failure.code : "failed";
  return { code: code.toLowerCase().replaceAll("_", "-"), detail: errorMessage(failure) };
}
