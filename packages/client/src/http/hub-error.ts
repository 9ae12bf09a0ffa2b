import { readShortJson } from "@signalbox/api/proof";
import type { Problem } from "@signalbox/api";

// A registered symbol also matches when two copies of this package are loaded.
const brand = Symbol.for("signalbox.hub-error");

/** An error of the hub, or a failure to reach it (`status` 0). `message` is for a person. */
export class HubError extends Error {
  override readonly name = "HubError";
  readonly [brand] = true;
  /**
   * For programs: the hub's `not-found`, `stale-hash`, `already-answered`, …, and the client's own
   * `unreachable`, `unreadable`.
   */
  readonly code: string;
  readonly status: number;
  readonly detail: string;

  constructor(
    { code, status, detail }: { code: string; status: number; detail: string },
    options?: ErrorOptions,
  ) {
    super(detail, options);
    this.code = code;
    this.status = status;
    this.detail = detail;
  }

  static is(value: unknown, code?: string): value is HubError {
    if (!(value instanceof Error) || !(brand in value)) return false;
    return code === undefined || (value as HubError).code === code;
  }
}

/** Reads the error in an answer, including those of a proxy in its own format. */
export async function readRefusal(answer: Response): Promise<HubError> {
  const { status } = answer;
  const body: unknown = await readShortJson(answer);
  const { code, detail, title } = (body ?? {}) as Partial<Problem>;
  return new HubError({
    status,
    code: typeof code === "string" ? code : `http-${status}`,
    detail: detail ?? title ?? `The hub answered ${status} and did not say why.`,
  });
}
