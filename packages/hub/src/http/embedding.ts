import { isRoleAtLeast } from "@signalbox/api";
import { COMMAND_HEADER, LINK_PATH } from "@signalbox/api/constants";
import type { Credential } from "../devices/access-control.ts";
import type { AnyRole } from "../devices/roles.ts";
import { HubRefusal } from "../engine.ts";

/*
 * Pages of other programs, whose origins an approver has listed. They use the API and the stream with a
 * device of their own, a viewer or a driver, and send no cookies. The hub's page is not for them: it is
 * never in a frame.
 */

/** The origin of the page that sent this request, if that may use the API from there. */
export function findEmbeddingOrigin(
  headers: Headers,
  path: string,
  own: string,
  origins: { has(origin: string): boolean },
): string | undefined {
  const origin = headers.get("origin");
  if (origin === null || origin === own) return undefined;
  const isForPages = path.startsWith("/api/") && path !== LINK_PATH;
  return isForPages && origins.has(origin) ? origin : undefined;
}

/** Answers a browser that asks whether its page may send a request. Undefined: this is no such question. */
export function answerPreflight({ method, headers }: Request): Response | undefined {
  if (method !== "OPTIONS" || !headers.has("access-control-request-method")) return undefined;
  return new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE",
      "access-control-allow-headers": `authorization, content-type, ${COMMAND_HEADER}`,
      "access-control-max-age": "600",
    },
  });
}

/** Lets the page read the answer. Credentials of the browser stay forbidden. */
export function addEmbeddingHeaders(response: Response, origin: string | undefined): Response {
  if (origin === undefined) return response;
  response.headers.set("access-control-allow-origin", origin);
  response.headers.append("vary", "origin");
  return response;
}

function isEmbeddable(role: AnyRole): boolean {
  return role !== "runner" && !isRoleAtLeast(role, "approver");
}

/** Refuses a device with which somebody else's page could approve, and a machine's. */
export function requireEmbeddableRole(role: AnyRole | undefined, origin: string | undefined): void {
  if (origin === undefined || role === undefined || isEmbeddable(role)) return;
  throw new HubRefusal(
    403,
    "embedding-refused",
    `The page at ${origin} may use this hub as a viewer or a driver only, and this is the role ${role}. Pair it with a code for the role viewer or driver.`,
  );
}

export function requireEmbeddableCredential(
  credential: Credential,
  origin: string | undefined,
): void {
  const role = credential.kind === "runner" ? "runner" : credential.actor.role;
  requireEmbeddableRole(role, origin);
}

/** Refuses what leads to more rights, or what only the hub's own page does. */
export function requireOwnPage(origin: string | undefined): void {
  if (origin === undefined) return;
  throw new HubRefusal(
    403,
    "embedding-refused",
    `The page at ${origin} may not do this. Use the hub's own page or the command line.`,
  );
}
