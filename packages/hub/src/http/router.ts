import { createHash, randomUUID } from "node:crypto";
import { isRoleAtLeast, isErrorCode, listErrors, type RouteKey } from "@signalbox/api";
import { COMMAND_HEADER } from "@signalbox/api/constants";
import { readAuthorization, STALE_PROOF } from "@signalbox/api/proof";
import {
  getRole,
  type Method,
  pathParameters,
  type Route,
  routeEntries,
  splitKey,
} from "@signalbox/api/routes";
import { uuidText } from "@signalbox/api/schemas";
import { isObject } from "@signalbox/protocol/wire";
import { Hono } from "hono";
import type * as z from "zod";
import type { Credential, Person } from "../devices/access-control.ts";
import { HubRefusal, RunnerRefusal } from "../engine.ts";
import { IDLE_TIMEOUT_SECONDS } from "./idle-timeout.ts";
import { compressAnswer } from "./compress-answer.ts";
import { readBearerToken } from "./bearer-token.ts";
import { requireEmbeddableCredential } from "./embedding.ts";
import type { HttpExtension } from "./extension.ts";
import type { Logger } from "../logging/logger.ts";
import { toRefusal, problemResponse, getRefusalHeaders } from "./problems.ts";
import { readJson, readText } from "./read-json.ts";
import { type StoredAnswer, ReceiptService, hashRequest } from "./receipts.ts";
import type { HandlerRequest, Handlers, Services } from "./route.ts";
import { validationError } from "./validation-error.ts";

/** What is known about a request before a route handles it. */
export interface RequestContext {
  readonly origin: string;
  readonly peer: string;
  /** The origin of another program's page that sent the request. */
  readonly embeddingOrigin: string | undefined;
  /** Lifts the time limit of a request. It is called once the caller is authenticated. */
  readonly removeTimeout: () => void;
}
type Env = { Bindings: RequestContext };

/** Where Prometheus looks by itself: another name of `/api/metrics`. */
export const METRICS_PATH = "/metrics";

/** The largest body that the hub holds for a caller without a credential. */
const MAX_OPEN_BODY_BYTES = 64 * 1024;
const MAX_BODY_BYTES = 1024 * 1024;

/** A request as the router handles it. Each handler is checked against the contract separately. */
type AnyRequest = HandlerRequest<never> & { readonly caller: Person };
type AnyHandler = (services: Services, request: AnyRequest) => unknown;

/** A route of the contract with its handler. */
interface Endpoint {
  readonly key: RouteKey;
  readonly method: Method;
  readonly path: string;
  readonly route: Route;
  readonly body: z.ZodType | undefined;
  readonly errors: ReadonlySet<string>;
  readonly handler: AnyHandler;
}

function listEndpoints(
  handlers: Handlers<RouteKey>,
  extensions: readonly HttpExtension[],
): Endpoint[] {
  const all = { ...handlers };
  for (const { routes } of extensions) Object.assign(all, routes);
  return routeEntries.map(([key, route]) => ({
    key,
    ...splitKey(key),
    route,
    body: "body" in route ? route.body : undefined,
    errors: new Set(listErrors(key, route)),
    handler: all[key] as unknown as AnyHandler,
  }));
}

/** Attaches a handler to every route. The handlers of `extensions` replace those of the hub. */
export function createRouter(
  handlers: Handlers<RouteKey>,
  services: Services,
  log: Logger,
  extensions: readonly HttpExtension[] = [],
): Hono<Env> {
  const endpoints = listEndpoints(handlers, extensions);
  const app = new Hono<Env>();
  const receipts = new ReceiptService(services.store);
  for (const endpoint of endpoints) {
    const paths =
      endpoint.key === "GET /api/metrics" ? [endpoint.path, METRICS_PATH] : [endpoint.path];
    app.on(endpoint.method, paths, async ({ req, env }) => {
      try {
        return await serve(endpoint, services, receipts, env, req.raw, req.param());
      } catch (error) {
        const { key, errors } = endpoint;
        const code = error instanceof HubRefusal && !(error instanceof RunnerRefusal) && error.code;
        if (code && isErrorCode(code) && !errors.has(code)) {
          log.error("undeclared-error", { route: key, code });
        }
        throw error;
      }
    });
  }
  for (const path of new Set(endpoints.map((endpoint) => endpoint.path))) {
    const methods = endpoints.filter((each) => each.path === path).map(({ method }) => method);
    app.all(path, ({ req, env }) => {
      authenticateRequest(services, env, req.raw);
      const allow = methods.join(", ");
      const refusal = new HubRefusal(
        405,
        "wrong-method",
        `${path} does not support ${req.method}. Use ${allow}.`,
      );
      return problemResponse(refusal, { allow });
    });
  }
  app.all("/api/*", ({ req, env }) => {
    authenticateRequest(services, env, req.raw);
    const detail = `The route ${req.method} ${req.path} does not exist. All routes are listed in /api/openapi.json.`;
    throw new HubRefusal(404, "no-such-route", detail);
  });
  app.onError((error) => {
    const refusal = toRefusal(error);
    if (!refusal) log.error("request-failed", { error: String(error), stack: error.stack });
    return problemResponse(
      refusal ??
        new HubRefusal(
          500,
          "failure",
          "The hub could not complete the request because of an internal error. Try again; the hub's log has details.",
        ),
      refusal ? getRefusalHeaders(refusal) : {},
    );
  });
  return app;
}

async function serve(
  endpoint: Endpoint,
  services: Services,
  receipts: ReceiptService,
  context: RequestContext,
  request: Request,
  params: Record<string, string>,
): Promise<Response> {
  const { route, method } = endpoint;
  const isOpen = route.kind === "open";
  const authorized = isOpen ? undefined : authorizePerson(route, services, context, request);
  const person = authorized?.person;
  const commandId = route.kind === "command" ? readCommandId(request) : randomUUID();
  checkParams(params);
  const url = new URL(request.url);
  const limit = isOpen
    ? MAX_OPEN_BODY_BYTES
    : ("bodyLimit" in route && route.bodyLimit) || MAX_BODY_BYTES;
  using bodyCount = person && services.limits.countBody(person.actor.device);
  const count = (bytes: number) => bodyCount?.add(bytes);
  const body = method === "GET" ? "" : readText(request, limit, count);
  const text = await (isOpen ? withTimeout(body) : body);
  if (authorized?.digest !== undefined) checkDigest(text, authorized.digest);
  const handlerRequest = {
    params,
    query: route.query && validate(route.query, Object.fromEntries(url.searchParams), "query"),
    body: endpoint.body && validate(endpoint.body, parseBody(endpoint.body, request, text), "body"),
    caller: person as Person, // the type of an open route's handler lacks it
    commandId,
    makeReceipt: () => [],
    headers: request.headers,
    origin: context.origin,
    embeddingOrigin: context.embeddingOrigin,
  } satisfies Record<keyof AnyRequest, unknown> as unknown as AnyRequest;
  if (route.kind !== "command" || !person)
    return answerDirectly(endpoint, services, context, handlerRequest);
  const requestHash = hashRequest(
    method,
    url.pathname + url.search,
    withoutSignature(handlerRequest.body, text),
  );
  const answer = await receipts.runOnce(
    {
      id: commandId,
      device: person.actor.device,
      request: requestHash,
      session: params["session"] ?? null,
    },
    async (makeReceipt) => {
      const receipt = (answer: unknown) => makeReceipt(serializeAnswer(route, answer));
      return serializeAnswer(
        route,
        await endpoint.handler(services, { ...handlerRequest, makeReceipt: receipt }),
      );
    },
  );
  return jsonResponse(answer);
}

/** Limits how long the body of a caller without a credential may take to arrive. */
async function withTimeout(body: string | Promise<string>): Promise<string> {
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const reason = "The body took too long to arrive. Send the request again without pauses.";
  const timer = setTimeout(
    () => reject(new HubRefusal(408, "too-slow", reason)),
    IDLE_TIMEOUT_SECONDS * 1000,
  );
  try {
    return await Promise.race([body, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

async function answerDirectly(
  { route, handler }: Endpoint,
  services: Services,
  context: RequestContext,
  asked: AnyRequest,
): Promise<Response> {
  try {
    const value = await handler(services, asked);
    if (value instanceof Response) return value;
    const answer = serializeAnswer(route, value);
    // The answers of commands, which may hold new secrets, are not compressed.
    const compressed = route.kind === "read" && (await compressAnswer(answer, asked.headers));
    return compressed || jsonResponse(answer);
  } catch (error) {
    // A 401 of an open route counts as a wrong credential, too.
    if (error instanceof HubRefusal && error.status === 401)
      throw countWrongGuess(services, context, error);
    throw error;
  }
}

function serializeAnswer(route: Route, value: unknown): StoredAnswer {
  const body = route.response === "nothing" ? "" : JSON.stringify(value);
  return { status: route.status ?? 200, body };
}

function jsonResponse({ status, body }: StoredAnswer): Response {
  if (body === "") return new Response(null, { status });
  return new Response(body, { status, headers: { "content-type": "application/json" } });
}

function authorizePerson(
  route: Route,
  services: Services,
  context: RequestContext,
  request: Request,
): { person: Person; digest: string | undefined } {
  const { credential, digest } = authenticateRequest(services, context, request);
  if (credential.kind === "runner") {
    throw new HubRefusal(
      403,
      "role-too-weak",
      "A runner's credential can only open the runner link.",
    );
  }
  services.limits.countRequest(credential.actor.device);
  const { role } = credential.actor;
  const needed = getRole(route);
  if (needed !== undefined && !isRoleAtLeast(role, needed)) {
    throw new HubRefusal(
      403,
      "role-too-weak",
      `This takes the role ${needed} or above. This device has the role ${role}. Use or pair a device with that role.`,
    );
  }
  return { person: credential, digest };
}

/** `digest` is the SHA-256 that the signature gives for the body, which has not been read yet. */
interface AuthenticatedRequest {
  readonly credential: Credential;
  readonly digest: string | undefined;
}

/**
 * Authenticates the caller by the request's signature or by a program's token. Refuses a request without
 * either.
 */
export function authenticateRequest(
  services: Services,
  context: RequestContext,
  request: Request,
): AuthenticatedRequest {
  const header = request.headers.get("authorization");
  if (header === null) {
    if (isFromPage(request.headers)) throw outdatedPageRefusal();
    throw new HubRefusal(
      401,
      "no-credential",
      "Requests have to be signed with a device's key or carry a program's bearer token. Pair this device first: signalbox pair.",
    );
  }
  const proof = readAuthorization(header);
  const identified = proof
    ? authenticateSignature(services, proof, request)
    : authenticateToken(services, readBearerToken(request.headers));
  if (identified === "stale") {
    const detail =
      "This request was signed for an earlier process of the hub. Verify the hub again (POST /api/identity), and sign the request with its new nonce.";
    throw new HubRefusal(401, STALE_PROOF, detail);
  }
  if (identified === "needs-key") {
    if (isFromPage(request.headers)) throw outdatedPageRefusal();
    const detail =
      "This page or program has an older version that the hub no longer accepts. Reload the page, or update the program. It stays paired.";
    throw new HubRefusal(401, "needs-key", detail);
  }
  if (!identified) {
    const refusal = new HubRefusal(
      401,
      "wrong-credential",
      "This signature or token belongs to no paired device. The device may have been revoked, or has expired. Pair it again.",
    );
    throw countWrongGuess(services, context, refusal);
  }
  requireEmbeddableCredential(identified.credential, context.embeddingOrigin);
  context.removeTimeout();
  return identified;
}

/** Whether a page of the hub made the request. Browsers say so in a header that programs do not send. */
function isFromPage(headers: Headers): boolean {
  return headers.get("sec-fetch-site") === "same-origin";
}

/**
 * The refusal for a page that was loaded before the hub was updated, because the current page signs every
 * request. That older page takes a 401 for the end of its pairing and offers to forget everything, which
 * would lock its person out; after a 503 it waits, and keeps what was not sent.
 */
function outdatedPageRefusal(): HubRefusal {
  const detail =
    "This page was loaded before the hub was updated. Reload it. It stays paired and keeps unsent messages.";
  return new HubRefusal(503, "page-too-old", detail);
}

function authenticateSignature(
  services: Services,
  proof: NonNullable<ReturnType<typeof readAuthorization>>,
  request: Request,
): AuthenticatedRequest | "stale" | undefined {
  const { pathname, search } = new URL(request.url);
  const credential = services.access.verify(proof, request.method, pathname + search);
  if (credential === "stale") return credential;
  return credential && { credential, digest: proof.digest };
}

function authenticateToken(
  services: Services,
  token: string | undefined,
): AuthenticatedRequest | "needs-key" | undefined {
  const credential = token === undefined ? undefined : services.access.authenticate(token);
  if (credential === "needs-key") return credential;
  return credential && { credential, digest: undefined };
}

/** Checks that the body is the one whose digest was signed. */
function checkDigest(text: string, digest: string): void {
  if (createHash("sha256").update(text).digest("hex") === digest) return;
  throw new HubRefusal(401, "wrong-digest", "The body does not match the signature.");
}

export function countWrongGuess(
  services: Services,
  context: RequestContext,
  refusal: HubRefusal,
): HubRefusal {
  const locked = services.access.recordWrongGuess({ peer: context.peer, code: refusal.code });
  if (!locked) return refusal;
  return new HubRefusal(
    429,
    "too-many-guesses",
    "Too many wrong credentials within a minute. A valid one is still accepted.",
  );
}

function readCommandId(request: Request): string {
  const given = uuidText.safeParse(request.headers.get(COMMAND_HEADER));
  if (given.success) return given.data.toLowerCase();
  throw new HubRefusal(
    400,
    "no-command-id",
    `This command needs the header ${COMMAND_HEADER} with a new UUID. A repeated UUID runs the command only once.`,
  );
}

function checkParams(params: Record<string, string>): void {
  for (const [name, value] of Object.entries(params)) {
    const schema = pathParameters[name as keyof typeof pathParameters];
    if (!schema.safeParse(value).success) {
      throw new HubRefusal(404, "not-found", `The ${name} id in the path is not valid.`);
    }
  }
}

/**
 * The body without its signature, because a command that is sent again may be signed anew and is still the
 * same command.
 */
function withoutSignature(body: unknown, text: string): string {
  if (!isObject(body) || !("signature" in body)) return text;
  const { signature: _, ...rest } = body;
  return JSON.stringify(rest);
}

function parseBody(schema: z.ZodType, request: Request, text: string): unknown {
  if (text === "" && schema.safeParse(undefined).success) return undefined;
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type === "application/json") return readJson(text);
  throw new HubRefusal(
    415,
    "not-json",
    "The body must be JSON with the content-type application/json.",
  );
}

function validate(schema: z.ZodType, value: unknown, what: "body" | "query"): unknown {
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  throw validationError(what, { schema, value, error });
}
