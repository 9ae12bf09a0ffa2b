import { readFileSync } from "node:fs";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type {
  OAuthClientInformationMixed,
  OAuthTokens,
} from "@modelcontextprotocol/sdk/shared/auth.js";
import { isObject, parseObject } from "@signalbox/protocol/wire";

/** The stored result of a sign-in: the client's identity at the server, and the tokens. */
export interface SignIn {
  readonly client?: OAuthClientInformationMixed;
  readonly tokens?: OAuthTokens;
  /** When the token expires, in milliseconds. */
  readonly expiresAt?: number;
}

/**
 * Stores sign-ins to MCP servers in a file that only its owner can read. A server is identified by
 * name and address, and a token is sent nowhere else.
 */
export class SignInStore {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  get(name: string, url: string): SignIn {
    const found = this.#all()[getKey(name, url)];
    return isObject(found) ? found : {};
  }

  async set(name: string, url: string, signIn: SignIn | undefined): Promise<void> {
    const { [getKey(name, url)]: _, ...others } = this.#all();
    const all = signIn ? { ...others, [getKey(name, url)]: signIn } : others;
    await mkdir(dirname(this.#path), { recursive: true });
    const made = `${this.#path}.${crypto.randomUUID().slice(0, 8)}`;
    await writeFile(made, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600 });
    await rename(made, this.#path);
  }

  #all(): Record<string, unknown> {
    try {
      const value = parseObject(readFileSync(this.#path, "utf8"));
      return typeof value === "string" ? {} : value;
    } catch {
      return {}; // Nobody has signed in yet.
    }
  }
}

const getKey = (name: string, url: string): string => `${name} ${url}`;
