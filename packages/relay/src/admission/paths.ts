/** A hub that connects to `/ws` sends this header, so that another hub can refuse it. */
export const HUB_HEADER = "x-signalbox-hub";

/** What a client or agent asks for by the path of its WebSocket. */
export type RelayPath =
  | { readonly kind: "agent"; readonly session: string; readonly secret: string | undefined }
  | { readonly kind: "root" }
  | { readonly kind: "front-end"; readonly ticket: string | undefined }
  | { readonly kind: "sdk"; readonly session: string; readonly ticket: string | undefined };

/** Undefined: the relay has nothing at this path. */
export function findRelayPath(path: string): RelayPath | undefined {
  if (path === "/") return { kind: "root" };
  const [, first, ...rest] = path.split("/");
  if (first === "sdk") return findSdkPath(rest);
  if (first !== "ws") return undefined;
  return rest[0] === "cli" ? findAgentPath(rest) : findFrontEndPath(rest);
}

function findSdkPath([session, ticket, ...more]: string[]): RelayPath | undefined {
  const isWhole = session && ticket !== "" && more.length === 0;
  return isWhole ? { kind: "sdk", session, ticket } : undefined;
}

function findAgentPath([, session, secret, ...more]: string[]): RelayPath | undefined {
  return session && more.length === 0 ? { kind: "agent", session, secret } : undefined;
}

function findFrontEndPath([ticket, ...more]: string[]): RelayPath | undefined {
  return ticket !== "" && more.length === 0 ? { kind: "front-end", ticket } : undefined;
}
