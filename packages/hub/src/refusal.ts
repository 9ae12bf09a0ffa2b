import type { ErrorCode } from "@signalbox/api";

/** An operation that the hub refuses, with the HTTP status and the error code that the caller gets. */
export class HubRefusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: ErrorCode, detail: string) {
    super(detail);
    this.status = status;
    this.code = code;
  }
}

/** An order that a runner refuses. The code is the runner's own, which the contract does not list. */
export class RunnerRefusal extends HubRefusal {
  constructor(status: number, code: string, detail: string) {
    super(status, code as ErrorCode, detail);
  }
}
