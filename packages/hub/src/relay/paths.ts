/** By this header a hub that comes to `/ws` says that it is one. */
export const HUB_HEADER = "x-signalbox-hub";

/** Where the relay is spoken to. */
export type RelayPath =
  | { readonly kind: "agent"; readonly session: string; readonly secret: string | undefined }
  | { readonly kind: "root" }
  | { readonly kind: "front-end"; readonly ticket: string | undefined }
  | { readonly kind: "sdk"; readonly session: string; readonly ticket: string | undefined };

/** Undefined: none of the relay's. `/` is the page's unless a WebSocket is asked for. */
export function relayPath(path: string, wantsSocket: boolean): RelayPath | "nowhere" | undefined {
  if (path === "/") return wantsSocket ? { kind: "root" } : undefined;
  const [, first, ...rest] = path.split("/");
  if (first === "sdk") return sdkPath(rest);
  if (first !== "ws") return undefined;
  return rest[0] === "cli" ? agentPath(rest) : frontEndPath(rest);
}

function sdkPath([session, ticket, ...more]: string[]): RelayPath | "nowhere" {
  const isWhole = session && ticket !== "" && more.length === 0;
  return isWhole ? { kind: "sdk", session, ticket } : "nowhere";
}

function agentPath([, session, secret, ...more]: string[]): RelayPath | "nowhere" {
  return session && more.length === 0 ? { kind: "agent", session, secret } : "nowhere";
}

function frontEndPath([ticket, ...more]: string[]): RelayPath | "nowhere" {
  return ticket !== "" && more.length === 0 ? { kind: "front-end", ticket } : "nowhere";
}
