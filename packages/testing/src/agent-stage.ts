import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startModel } from "@signalbox/model";
import type { Decoded, Message, SystemMessage } from "@signalbox/protocol";
import { bundledAgent } from "@signalbox/host/agents";
import {
  Host,
  type HostOptions,
  type Launch,
  type Driver,
  type RunEnd,
  stdioDriver,
} from "@signalbox/host";
import { until } from "./until.ts";

/** The real programs that the tests drive. */
export const agents = {
  "2.1.325": bundledAgent() ?? "",
  "2.1.7": Bun.resolveSync("claude-code-2.1.7/cli.js", import.meta.dir),
};
export type AgentVersion = keyof typeof agents;
/** One that connects by itself: 2.1.7, or another up to 2.1.120 that somebody wants to see. */
export const oldAgent = process.env["SIGNALBOX_TEST_OLD_AGENT"] ?? agents["2.1.7"];

/** Whatever a test starts here ends with it: a scripted model, a home and a folder of its own. */
export async function openStage(script = "", driver: Driver = stdioDriver()) {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "signalbox-test-")));
  const [home, folder] = [join(place, "home"), join(place, "work")];
  mkdirSync(home);
  mkdirSync(folder);
  const model = await startModel({ script });
  const hosts: Host[] = [];
  const inheritFrom = { HOME: home, PATH: process.env["PATH"], LANG: "C.UTF-8" };
  const environment = {
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: "dummy-key-for-tests",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
  };
  return {
    home,
    folder,
    model,
    environment,
    inheritFrom,
    at: (name: string) => join(folder, name),
    has: (name: string) => existsSync(join(folder, name)),
    async start(
      version: AgentVersion,
      launch: Partial<Launch> = {},
      options: HostOptions = {},
      by = driver,
    ) {
      const full: Launch = {
        folder,
        agentPath: agents[version],
        inheritFrom,
        environment,
        ...launch,
      };
      const host = await Host.start(by, full, options);
      hosts.push(host);
      return new Conversation(host);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(hosts.map((host) => host[Symbol.asyncDispose]()));
      await model.close();
      rmSync(place, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
export type Stage = Awaited<ReturnType<typeof openStage>>;

/** Reads a host's lines, keeps them, and lets a test wait for one. */
export class Conversation {
  readonly host: Host;
  readonly lines: Decoded[] = [];
  #over = false;
  #read = 0;

  constructor(host: Host) {
    this.host = host;
    void this.#collect();
  }

  async #collect(): Promise<void> {
    for await (const batch of this.host.lines) {
      this.lines.push(...batch);
    }
    this.#over = true;
  }

  /** The next message that the test has not waited past and that fits. */
  async next<T extends Message["type"]>(
    type: T,
    fits: (message: Message<T>) => boolean = () => true,
  ): Promise<Message<T>> {
    return until(
      `the agent sends a ${type} for which ${fits.toString()}`,
      async () => {
        const isOver = this.#over;
        while (this.#read < this.lines.length) {
          const line = this.lines[this.#read++];
          if (line?.kind !== "known" || line.message.type !== type) continue;
          if (fits(line.message as Message<T>)) return line.message as Message<T>;
        }
        if (isOver) throw new Error(`the agent left: ${JSON.stringify(await this.host.closed)}`);
        return undefined;
      },
      { seen: () => this.lines.slice(-3) },
    );
  }

  result(): Promise<Message<"result">> {
    return this.next("result");
  }

  /** Puts a prompt and waits for the turn's end. */
  async turn(text: string): Promise<Message<"result">> {
    await this.host.prompt({ text });
    return this.result();
  }

  all<T extends Message["type"]>(type: T): Message<T>[] {
    const known = this.lines.flatMap((line) => (line.kind === "known" ? [line.message] : []));
    return known.filter((message): message is Message<T> => message.type === type);
  }

  system<S extends SystemMessage["subtype"]>(subtype: S): SystemMessage<S>[] {
    return this.all("system").filter((m): m is SystemMessage<S> => m.subtype === subtype);
  }

  /** All text of the main agent's, and of its tools' results. */
  get toolResults(): string {
    const blocks = this.all("user").flatMap((m) =>
      Array.isArray(m.message.content) ? m.message.content : [],
    );
    return blocks
      .filter((block) => block.type === "tool_result")
      .map((block) => JSON.stringify(block["content"]))
      .join("\n");
  }

  closed(): Promise<RunEnd> {
    return this.host.closed;
  }
}
