import { execFile } from "node:child_process";
import type { AuthStatus } from "@signalbox/agent";

type Environment = Readonly<Record<string, string | undefined>>;

/** The credential of a request. */
export interface Credential {
  readonly apiKey: string | null;
  readonly authToken: string | null;
}

const TTL_MS = 300_000;
const HELPER_MS = 60_000;
/** Used if a helper fails. It is not a valid key, so the API refuses it with a message. */
const NO_KEY = " ";

/** Keys for the model: from the environment, or printed by a command in the settings. */
export class Credentials {
  readonly #environment: Environment;
  readonly #helper: () => string | undefined;
  readonly #say: (status: AuthStatus) => void;
  readonly #report: (sentence: string) => void;
  #printed: { key: Promise<string>; at: number } | undefined;
  #status: AuthStatus = { isAuthenticating: false, output: [] };

  constructor(parts: {
    environment: Environment;
    helper: () => string | undefined;
    say: (status: AuthStatus) => void;
    report: (sentence: string) => void;
  }) {
    this.#environment = parts.environment;
    this.#helper = parts.helper;
    this.#say = parts.say;
    this.#report = parts.report;
  }

  get status(): AuthStatus {
    return this.#status;
  }

  /** The source of the key, in the words of `system/init`. */
  get source(): string {
    if (this.#environment["ANTHROPIC_API_KEY"]) return "ANTHROPIC_API_KEY";
    return this.#helper() === undefined ? "none" : "apiKeyHelper";
  }

  async get(): Promise<Credential> {
    const env = this.#environment;
    const token = env["ANTHROPIC_AUTH_TOKEN"] || env["CLAUDE_CODE_OAUTH_TOKEN"] || null;
    const printed = this.#helper() === undefined ? null : await this.#fromHelper();
    return { apiKey: env["ANTHROPIC_API_KEY"] || printed, authToken: token ?? printed };
  }

  /** Runs the helper again next time, because the API refused the key. */
  forget(): void {
    this.#printed = undefined;
  }

  #fromHelper(): Promise<string> {
    const ttlMs = Number(this.#environment["CLAUDE_CODE_API_KEY_HELPER_TTL_MS"]) || TTL_MS;
    if (!this.#printed || Date.now() - this.#printed.at >= ttlMs) {
      this.#printed = { key: this.#runHelper(), at: Date.now() };
    }
    return this.#printed.key;
  }

  async #runHelper(): Promise<string> {
    try {
      const key = await runHelperCommand(this.#helper() ?? "", this.#environment);
      this.#status = { isAuthenticating: false, output: [] };
      return key;
    } catch (failure) {
      const error = `apiKeyHelper failed: ${(failure as Error).message}`;
      this.#report(error);
      for (const status of [
        { isAuthenticating: true, output: [] },
        { isAuthenticating: true, output: [], error },
        { isAuthenticating: false, output: [], error },
      ]) {
        this.#status = status;
        this.#say(status);
      }
      return NO_KEY;
    }
  }
}

function runHelperCommand(command: string, environment: Environment): Promise<string> {
  return new Promise((resolve, reject) => {
    // The setting is a shell command, as in Claude Code.
    const options = { env: environment, timeout: HELPER_MS };
    execFile("/bin/sh", ["-c", command], options, (failure, stdout, stderr) => {
      const key = stdout.trim();
      if (failure) reject(new Error(`exited ${failure.code ?? failure.signal}: ${stderr.trim()}`));
      else if (key === "") reject(new Error("did not return a value"));
      else resolve(key);
    });
  });
}
