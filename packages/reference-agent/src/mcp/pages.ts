import { isObject, type JsonObject } from "@signalbox/protocol/wire";
import type { Channel } from "./channel.ts";

/** Reads all pages of a server's list. */
export async function getPages(channel: Channel, method: string): Promise<JsonObject[]> {
  const pages: JsonObject[] = [];
  let cursor: string | undefined;
  do {
    const response = await channel.request(method, cursor === undefined ? undefined : { cursor });
    const page = isObject(response) ? response : {};
    pages.push(page);
    cursor = typeof page["nextCursor"] === "string" ? page["nextCursor"] : undefined;
  } while (cursor !== undefined);
  return pages;
}
