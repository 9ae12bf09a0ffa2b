import { randomBytes } from "node:crypto";
import type { Server } from "node:http";
import type { OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js";
import type { ServerConfig } from "./channel.ts";
import type { SignInStore, SignIn } from "./sign-in-store.ts";

type FarConfig = Extract<ServerConfig, { url: string }>;

/** A sign-in that waits for the person to return from their browser. */
interface Flow {
  readonly state: string;
  readonly url: string;
  readonly provider: OAuthClientProvider;
  readonly server: Server;
}

const EARLY_MS = 60_000;

/**
 * Signs in to MCP servers with OAuth. The protocol is implemented by the MCP project's own client,
 * which is loaded at the first sign-in.
 */
export class SignIns {
  readonly #signInStore: SignInStore;
  readonly #flows = new Map<string, Flow>();

  constructor(signInStore: SignInStore) {
    this.#signInStore = signInStore;
  }

  has(name: string, url: string): boolean {
    return this.#signInStore.get(name, url).tokens !== undefined;
  }

  /** Adds the token from the sign-in to the config, unless the person set a header. */
  async withToken(name: string, config: FarConfig): Promise<FarConfig> {
    const { url, headers = {} } = config;
    if (Object.keys(headers).some((one) => one.toLowerCase() === "authorization")) return config;
    const storedSignIn = this.#signInStore.get(name, url);
    if (!storedSignIn.tokens) return config;
    const isOver =
      storedSignIn.expiresAt !== undefined && storedSignIn.expiresAt - Date.now() < EARLY_MS;
    if (isOver && storedSignIn.tokens.refresh_token !== undefined)
      await this.#renew(name, url, storedSignIn);
    const token = this.#signInStore.get(name, url).tokens?.access_token ?? "";
    return { ...config, headers: { ...headers, authorization: `Bearer ${token}` } };
  }

  /** Begins a sign-in and returns the address that the person has to open. */
  async begin(name: string, config: FarConfig): Promise<object> {
    const { auth } = await import("@modelcontextprotocol/sdk/client/auth.js");
    const { url, oauth } = config;
    this.#flows.get(name)?.server.close();
    const { listenForCallback } = await import("./callback-listener.ts");
    const { server, port } = await listenForCallback(oauth?.callbackPort ?? 0, (came) =>
      this.finish(name, came),
    );
    const state = randomBytes(32).toString("base64url");
    let authUrl = "";
    const given: SignIn = oauth?.clientId ? { client: { client_id: oauth.clientId } } : {};
    const provider = this.#provider(name, url, given, {
      state,
      redirectUrl: `http://localhost:${port}/callback`,
      onUrl: (there) => (authUrl = there.href),
    });
    this.#flows.set(name, { state, url, provider, server });
    try {
      await auth(provider, { serverUrl: url });
    } catch (cause) {
      this.#end(name);
      throw new Error(`SDK auth failed: ${(cause as Error).message}`, { cause });
    }
    return {
      authUrl,
      requiresUserAction: true,
      callbackExpected: true,
      redirectScheme: "localhost",
      state,
      callbackPort: port,
    };
  }

  /** Completes a sign-in with the address to which the browser was redirected. */
  async finish(name: string, callbackUrl: string): Promise<void> {
    const flow = this.#flows.get(name);
    if (!flow) throw new Error(`No active OAuth flow for server: ${name}`);
    if (!URL.canParse(callbackUrl)) throw new Error("the address is none");
    const callbackParams = new URL(callbackUrl).searchParams;
    if (callbackParams.get("state") !== flow.state)
      throw new Error("the state is not that of this sign-in");
    const code = callbackParams.get("code");
    if (code === null) {
      this.#end(name);
      throw new Error(
        callbackParams.get("error_description") ??
          callbackParams.get("error") ??
          "there is no code",
      );
    }
    const { auth } = await import("@modelcontextprotocol/sdk/client/auth.js");
    this.#end(name);
    await auth(flow.provider, { serverUrl: flow.url, authorizationCode: code });
  }

  async clear(name: string, url: string): Promise<void> {
    this.#end(name);
    await this.#signInStore.set(name, url, undefined);
  }

  #end(name: string): void {
    this.#flows.get(name)?.server.close();
    this.#flows.delete(name);
  }

  /** Renews a token. A token that cannot be renewed is kept, and the server decides about it. */
  async #renew(name: string, url: string, storedSignIn: SignIn): Promise<void> {
    const { auth } = await import("@modelcontextprotocol/sdk/client/auth.js");
    await auth(this.#provider(name, url, storedSignIn), { serverUrl: url }).catch(() => {});
  }

  #provider(
    name: string,
    url: string,
    start: SignIn,
    going?: { state: string; redirectUrl: string; onUrl: (url: URL) => void },
  ): OAuthClientProvider {
    let signIn = start;
    let verifier = "";
    const keep = (more: SignIn) => {
      signIn = { ...signIn, ...more };
    };
    const redirectUrl = going?.redirectUrl ?? "http://localhost/callback";
    return {
      redirectUrl,
      clientMetadata: {
        client_name: `Signalbox (${name})`,
        redirect_uris: [redirectUrl],
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        token_endpoint_auth_method: "none",
      },
      state: () => going?.state ?? "",
      clientInformation: () => signIn.client,
      saveClientInformation: (client) => keep({ client }),
      tokens: () => signIn.tokens,
      saveTokens: (tokens) => {
        const { expires_in: seconds } = tokens;
        keep({ tokens, ...(seconds && { expiresAt: Date.now() + seconds * 1000 }) });
        return this.#signInStore.set(name, url, signIn);
      },
      redirectToAuthorization: (there) => going?.onUrl(there),
      saveCodeVerifier: (code) => {
        verifier = code;
      },
      codeVerifier: () => verifier,
    };
  }
}
