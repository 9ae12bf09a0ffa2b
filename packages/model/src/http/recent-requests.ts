const mostRequests = 100;
const mostChars = 32 * 1024 * 1024;
const secret = new Set(["x-api-key", "authorization", "cookie"]);

/** One request to /v1/messages as it came, without the headers that carry credentials. */
export type RecordedRequest = {
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: unknown;
};

/** The last bodies, as many as fit: a long conversation sends all of itself every time. */
export class RecentRequests {
  readonly bodies: unknown[] = [];
  readonly #sizes: number[] = [];
  #chars = 0;

  add(body: unknown, chars: number): void {
    this.bodies.push(body);
    this.#sizes.push(chars);
    this.#chars += chars;
    while (
      this.bodies.length > mostRequests ||
      (this.#chars > mostChars && this.bodies.length > 1)
    ) {
      this.bodies.shift();
      this.#chars -= this.#sizes.shift() ?? 0;
    }
  }
}

export function removeCredentials(headers: RecordedRequest["headers"]): RecordedRequest["headers"] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !secret.has(name)));
}
