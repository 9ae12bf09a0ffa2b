import * as z from "zod";
import { openApi } from "../openapi.ts";
import { read, type Route } from "../route.ts";
import { askRoutes } from "./asks.ts";
import { deviceRoutes } from "./devices.ts";
import { discoveryRoutes } from "./discovery.ts";
import { hubRoutes } from "./hub.ts";
import { promptRoutes } from "./prompts.ts";
import { readingRoutes } from "./reading.ts";
import { relayRoutes } from "./relay.ts";
import { sessionRoutes } from "./sessions.ts";
import { trustRoutes } from "./trust.ts";

/** Every route there is: what is not in here does not exist. */
export function routeTable(version: string): Route[] {
  const table: Route[] = [
    ...deviceRoutes,
    ...sessionRoutes,
    ...trustRoutes,
    ...promptRoutes,
    ...readingRoutes,
    ...askRoutes,
    ...hubRoutes,
    ...relayRoutes,
    ...discoveryRoutes,
  ];
  let document: object | undefined;
  table.push(
    read({
      path: "/api/openapi.json",
      role: "viewer",
      summary: "This description",
      response: z.looseObject({ openapi: z.string() }),
      handler: () => (document ??= openApi(table, version)),
    }),
  );
  return table;
}
