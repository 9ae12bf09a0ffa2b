/** Where the relay is spoken to. */
export type RelayPath =
  | { readonly kind: "agent"; readonly session: string; readonly secret: string | undefined }
  | { readonly kind: "root" }
  | { readonly kind: "front-end" }
  | { readonly kind: "sdk"; readonly session: string };

/** Undefined: none of the relay's. `/` is the page's unless a WebSocket is asked for. */
export function relayPath(path: string, wantsSocket: boolean): RelayPath | "nowhere" | undefined {
  if (path === "/") return wantsSocket ? { kind: "root" } : undefined;
  if (path === "/ws") return { kind: "front-end" };
  const [, first, ...rest] = path.split("/");
  if (first === "sdk") {
    const [session] = rest;
    return rest.length === 1 && session ? { kind: "sdk", session } : "nowhere";
  }
  if (first !== "ws") return undefined;
  const [second, session, secret] = rest;
  if (second !== "cli" || !session || rest.length > 3) return "nowhere";
  return { kind: "agent", session, secret };
}
