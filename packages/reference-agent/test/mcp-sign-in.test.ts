import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { SignInStore } from "../src/mcp/sign-in-store.ts";
import { SignIns } from "../src/mcp/sign-ins.ts";

/** A server with a sign-in: everybody may register, and each code gives a token. */
let given = 0;
let lifetime = 3600;
const server = createServer((request, response) => void answer(request, response));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request);
  const base = `http://${request.headers.host}`;
  const json = (value: object, status = 200) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
  const path = request.url ?? "";
  if (path.startsWith("/.well-known/oauth-protected-resource")) {
    json({ resource: `${base}/mcp`, authorization_servers: [base] });
  } else if (path.startsWith("/.well-known/oauth-authorization-server")) {
    json({
      issuer: base,
      authorization_endpoint: `${base}/authorize`,
      token_endpoint: `${base}/token`,
      registration_endpoint: `${base}/register`,
      response_types_supported: ["code"],
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: ["none"],
    });
  } else if (path === "/register") {
    json({ ...(JSON.parse(body) as object), client_id: "client" }, 201);
  } else if (path === "/token" && new URLSearchParams(body).get("code") !== "wrong") {
    const access_token = `token-${++given}`;
    json({ access_token, token_type: "Bearer", expires_in: lifetime, refresh_token: "again" });
  } else json({ error: "invalid_grant" }, 400);
}

const folder = mkdtempSync(join(tmpdir(), "signalbox-sign-in-"));
const file = join(folder, "kept", "sign-ins.json");
let config: { type: "http"; url: string };

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  config = { type: "http", url: `http://127.0.0.1:${port}/mcp` };
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

async function begun(signIns: SignIns): Promise<URL> {
  const { authUrl } = (await signIns.begin("shop", config)) as { authUrl: string };
  return new URL(authUrl);
}

/** Builds the address to which the browser is redirected. */
function back(there: URL, fields: Record<string, string>): string {
  const url = new URL(there.searchParams.get("redirect_uri") ?? "");
  url.search = new URLSearchParams({
    state: there.searchParams.get("state") ?? "",
    ...fields,
  }).toString();
  return url.href.replace("localhost", "127.0.0.1");
}

describe("signing in to an MCP server", () => {
  test("uses a browser redirect; the token is stored for its owner alone and renewed", async () => {
    const signIns = new SignIns(new SignInStore(file));
    const there = await begun(signIns);
    expect(there.searchParams.get("code_challenge_method")).toBe("S256");
    const forged = await fetch(back(there, { code: "c", state: "another" }));
    expect(forged.status).toBe(400);
    expect(signIns.has("shop", config.url)).toBe(false);
    lifetime = 1;
    expect((await fetch(back(there, { code: "c" }))).status).toBe(200);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    // The first token expires at once, so it is renewed before it is used.
    lifetime = 3600;
    const later = new SignIns(new SignInStore(file));
    expect((await later.withToken("shop", config)).headers).toEqual({
      authorization: "Bearer token-2",
    });
    expect((await later.withToken("shop", config)).headers).toEqual({
      authorization: "Bearer token-2",
    });
  });

  test("a token is only sent to the server that gave it, and not where the person set a header", async () => {
    const signIns = new SignIns(new SignInStore(file));
    const elsewhere = { ...config, url: "http://127.0.0.1:9/mcp" };
    expect(await signIns.withToken("shop", elsewhere)).toEqual(elsewhere);
    expect(await signIns.withToken("other", config)).toEqual(config);
    const own = { ...config, headers: { Authorization: "Bearer mine" } };
    expect(await signIns.withToken("shop", own)).toEqual(own);
    await signIns.clear("shop", config.url);
    expect(await signIns.withToken("shop", config)).toEqual(config);
  });

  test("an address from the host works once; refusals are reported", async () => {
    const signIns = new SignIns(new SignInStore(file));
    const refusal = async (url: string) =>
      signIns.finish("shop", url).then(
        () => "taken",
        (why: Error) => why.message,
      );
    const none = "No active OAuth flow for server: shop";
    expect(await refusal("http://localhost/callback?code=c")).toBe(none);
    const there = await begun(signIns);
    expect(await refusal(back(there, { error: "access_denied" }))).toBe("access_denied");
    const again = await begun(signIns);
    expect(await refusal(back(again, { code: "c" }))).toBe("taken");
    expect(await refusal(back(again, { code: "c" }))).toBe(none);
    expect(signIns.has("shop", config.url)).toBe(true);
    const wrong = await begun(signIns);
    expect(await refusal(back(wrong, { code: "wrong" }))).not.toBe("taken");
  });
});
