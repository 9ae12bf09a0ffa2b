import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Agent, AgentContext, AgentFactory, Turn } from "@signalbox/agent";
import {
  type JsonObject,
  lineText,
  type Transport,
  createTransportPair,
} from "@signalbox/protocol";
import { parseArguments } from "../../src/command-line/parse-arguments.ts";
import { parseOptions } from "../../src/command-line/parse-options.ts";
import { Loop } from "../../src/loop/loop.ts";
import { sinkFor } from "../../src/loop/sink.ts";
import { openSession } from "../../src/sessions/open-session.ts";
import { until } from "@signalbox/testing/until";

export const streaming = [
  "-p",
  "--input-format",
  "stream-json",
  "--output-format",
  "stream-json",
  "--verbose",
  "--permission-prompt-tool",
  "stdio",
];

/** Opens a host's end of a loop in this process, around any agent. */
export async function openRig(
  createAgent: AgentFactory,
  more: {
    args?: string[];
    environment?: Record<string, string>;
    bare?: boolean;
    keepsLines?: boolean;
  } = {},
) {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "signalbox-agent-")));
  const environment = { HOME: place, ...more.environment };
  const options = parseOptions(
    parseArguments([...(more.bare ? [] : streaming), ...(more.args ?? [])]),
    false,
  );
  const session = await openSession(options, { environment, folder: place, entrypoint: "sdk-cli" });
  const [host, agent] = createTransportPair();
  const reported: string[] = [];
  const printed: string[] = [];
  const print = (text: string) => Promise.resolve(void printed.push(text));
  const loop = new Loop({
    transport: agent,
    sink: sinkFor(options, agent, print),
    options,
    environment,
    folder: place,
    session,
    createAgent,
    report: (sentence) => reported.push(sentence),
  });
  const code = loop.run();
  const lines = new Lines(more.keepsLines === false ? undefined : host);
  return {
    host,
    lines,
    reported,
    printed,
    session,
    place,
    code,
    send: (message: object | string) =>
      host.send(typeof message === "string" ? message : JSON.stringify(message)),
    async [Symbol.asyncDispose]() {
      await host.close();
      await code;
      rmSync(place, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

export const prompt = (content: string, uuid?: string): object => ({
  type: "user",
  message: { role: "user", content },
  parent_tool_use_id: null,
  session_id: "",
  ...(uuid !== undefined && { uuid }),
});

export const request = (id: string, subtype: string, more: object = {}): object => ({
  type: "control_request",
  request_id: id,
  request: { subtype, ...more },
});

/** Creates an agent from its `turn` function alone. */
export function openTurnAgent(
  turn: (turn: Turn, context: AgentContext) => Promise<string>,
  more: Partial<Agent> = {},
): AgentFactory {
  return (context) => ({
    ...more,
    async turn(given) {
      await given.sayInit();
      const result = await turn(given, context);
      return { subtype: "success", is_error: false, num_turns: 1, result };
    },
  });
}

export function readWords(prompts: Turn["prompts"]): string {
  return prompts.map(({ content }) => (typeof content === "string" ? content : "")).join();
}

export const echo = openTurnAgent(({ prompts }) => Promise.resolve(readWords(prompts)));

/** The lines that the agent sent, and a way to wait for one. */
class Lines {
  readonly all: JsonObject[] = [];
  #read = 0;
  #isOver = false;

  constructor(host: Transport | undefined) {
    if (!host) return;
    void (async () => {
      for await (const batch of host.incoming) {
        this.all.push(...batch.map((line) => JSON.parse(lineText(line)) as JsonObject));
      }
      this.#isOver = true;
    })();
  }

  async until(fits: (line: JsonObject) => boolean): Promise<JsonObject> {
    const next = () => {
      const isOver = this.#isOver;
      while (this.#read < this.all.length) {
        const line = this.all[this.#read++];
        if (line && fits(line)) return line;
      }
      if (isOver) throw new Error(`the agent left after ${JSON.stringify(this.all)}`);
      return undefined;
    };
    const seen = () => this.all.slice(-3);
    return until(`the agent sends a line for which ${fits.toString()}`, next, { seen });
  }

  type(type: string): Promise<JsonObject> {
    return this.until((line) => line["type"] === type);
  }

  /** The types of the lines in order, or the subtypes of those that have one. */
  get kinds(): unknown[] {
    return this.all.map((line) => line["state"] ?? line["subtype"] ?? line["type"]);
  }
}
