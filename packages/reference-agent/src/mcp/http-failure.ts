/** The server no longer knows the session, because it was restarted. */
export class SessionLost extends Error {
  override readonly name = "SessionLost";
  override readonly message = "the MCP server has forgotten the session";
}

/** The server requires a sign-in. */
export class NotSignedIn extends Error {
  override readonly name = "NotSignedIn";
  readonly status: number;

  constructor(status: number) {
    super(`the MCP server does not know who asks (HTTP ${status}): somebody has to sign in to it`);
    this.status = status;
  }
}

const LONGEST_COMPLAINT = 2000;

/** Converts an HTTP status that is not a success to an error. */
export async function getRefusal(
  response: Response,
  url: string,
  hasSession: boolean,
): Promise<Error> {
  const { status } = response;
  const responseText = (await response.text().catch(() => "")).slice(0, LONGEST_COMPLAINT);
  if (status === 401 || status === 403) return new NotSignedIn(status);
  if (status === 404 && hasSession) return new SessionLost();
  if (status === 404) {
    const { origin } = new URL(url);
    return new Error(`MCP endpoint not found at ${origin}. Check the URL in your MCP config.`);
  }
  return new Error(`Error POSTing to endpoint: ${responseText || `HTTP ${status}`}`);
}

/** No server answers at the address. */
export class Unreachable extends Error {}

/**
 * Works like `fetch`, but reports an unreachable server in Claude Code's wording on every runtime.
 */
export async function reach(url: string | URL, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    throw new Unreachable(describeUnreachable(cause), { cause });
  }
}

function describeUnreachable(failure: unknown): string {
  const { code, cause, message } = failure as Error & { code?: unknown; cause?: unknown };
  const inner = (cause ?? {}) as { code?: unknown; message?: unknown };
  const why = code ?? inner.code;
  if (why === "ConnectionRefused" || why === "ECONNREFUSED") {
    return "ECONNREFUSED: Unable to connect. Is the computer able to access the url?";
  }
  const words = typeof inner.message === "string" ? inner.message : message;
  return typeof why === "string" ? `${why}: ${words}` : words;
}
