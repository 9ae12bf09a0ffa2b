import { describe, expect, test } from "bun:test";
import type { LaunchOptions, NewSession } from "@signalbox/api";
import type { OrderOfKind } from "@signalbox/api/link";
import { routes } from "@signalbox/api";
import type { HubClient } from "@signalbox/client";
import type { Launch } from "@signalbox/host";
import type { Handlers } from "../../src/http/route.ts";
import { handlers } from "../../src/http/routes/index.ts";
import { omitUndefined } from "../../src/omit-undefined.ts";

describe("the contract", () => {
  test("[HH20] has a handler for each of its routes, and there are no others", () => {
    expect(Object.keys(handlers).toSorted()).toEqual(Object.keys(routes).toSorted());
  });

  test("[HH20] a wrong field is an error of the compiler: in handlers, calls, launches and decisions", () => {
    // Nothing here runs; `tsc` fails where a line below a directive is right after all.
    const wrong = (client: HubClient, options: NewSession) => {
      const answer: Handlers<"GET /api/integrity"> = {
        // @ts-expect-error: the answer has `problems`
        "GET /api/integrity": () => ({ problem: [] }),
      };
      const query: Handlers<"GET /api/agents"> = {
        // @ts-expect-error: the query has `runner`
        "GET /api/agents": ({ engine }, { query }) => engine.settings.listAgents(query.machine),
      };
      const reading: Handlers<"GET /api/agents"> = {
        // @ts-expect-error: a GET is not given what changes something
        "GET /api/agents": ({ engine }) => engine.settings.setAgents([], { id: "x" }),
      };
      // @ts-expect-error: a route without its handler
      const missing: Handlers<"GET /api/agents" | "GET /api/asks"> = {
        "GET /api/agents": () => [],
      };
      const calls = [
        // @ts-expect-error: there is no such route
        client.call("GET /api/nothing"),
        // @ts-expect-error: the path has a session
        client.call("GET /api/sessions/:session", { params: { sesion: "x" } }),
        // @ts-expect-error: the path's session is missing
        client.call("GET /api/sessions/:session"),
        // @ts-expect-error: `polcy` is no option of a session
        client.call("POST /api/sessions", { body: { folder: "/x", polcy: "default" } }),
        // @ts-expect-error: `strict` is no policy
        client.call("POST /api/sessions", { body: { ...options, policy: "strict" } }),
        // @ts-expect-error: the query has `limit`
        client.call("GET /api/audit", { query: { limits: 3 } }),
      ];
      // @ts-expect-error: `agentPth` is no option of a launch
      const launch = omitUndefined<LaunchOptions>({ folder: "/x", agentPth: "/bin/x" });
      const start = { kind: "start", session: "s", run: "r", after: 0, driver: "d" } as const;
      const order: OrderOfKind<"start"> = {
        ...start,
        policy: "default",
        status: "new",
        // @ts-expect-error: `modle` is no option of a launch
        launch: { folder: "/x", modle: "y" },
      };
      const ids = { session: "s", run: "r", requestId: "q", by: "x", how: "answered" } as const;
      const decide: OrderOfKind<"decide"> = {
        kind: "decide",
        ...ids,
        // @ts-expect-error: a denial has a `message`
        decision: { behavior: "deny", mesage: "no" },
      };
      return [answer, query, reading, missing, calls, launch, order, decide];
    };
    expect(wrong).toBeFunction();
  });

  test("[HH20] whatever the hub says of a launch, the runner's drivers know", () => {
    const known = (name: keyof LaunchOptions): keyof Launch => name;
    expect(known("folder")).toBe("folder");
  });
});
