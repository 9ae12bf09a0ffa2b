import { pathToFileURL } from "node:url";
import type { Rpc } from "./channel.ts";

/** What a server may say by itself. */
export interface Listener {
  /** The working folder, which servers may ask for. */
  readonly folder: string;
  readonly onToolsChanged: () => void;
}

const NO_METHOD = { code: -32601, message: "Method not found" };

/** Takes what a server says without being asked; what it is answered, if it asked something. */
export function heed({ id, method }: Rpc, { folder, onToolsChanged }: Listener): Rpc | undefined {
  if (method === "notifications/tools/list_changed") onToolsChanged();
  if (id === undefined) return undefined;
  switch (method) {
    case "ping":
      return { id, result: {} };
    case "roots/list":
      return { id, result: { roots: [{ uri: pathToFileURL(folder).href }] } };
    default:
      return { id, error: NO_METHOD };
  }
}
