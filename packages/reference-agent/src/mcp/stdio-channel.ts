import { spawn } from "node:child_process";
import { readLines, lineText, parseObject } from "@signalbox/protocol/wire";
import { endWithProcess, signalGroup } from "../process-groups.ts";
import { type Channel, getRequest, type Rpc, type ServerConfig } from "./channel.ts";
import { createCancelNotification, Pending } from "./pending.ts";
import { type Listener, ServerMessages } from "./server-messages.ts";

/** Creates a channel to a server that runs as a program, with one message per line. */
export function stdioChannel(
  config: Extract<ServerConfig, { command: string }>,
  place: { folder: string; environment: Readonly<Record<string, string | undefined>> },
  listener: Listener,
): Channel {
  const child = spawn(config.command, [...(config.args ?? [])], {
    cwd: place.folder,
    env: { ...place.environment, ...config.env },
    stdio: ["pipe", "pipe", "ignore"],
    detached: true,
  });
  endWithProcess(child, "SIGTERM");
  const send = (message: Rpc) => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  };
  const pending = new Pending((id, reason) => send(createCancelNotification(id, reason)));
  child.stdin.on("error", () => {});
  const closed = new Promise<void>((resolve) => {
    const over = (why: string) => {
      pending.failAll(new Error(why));
      resolve();
    };
    child.once("error", (cause) => over(withoutCommand(cause.message, config.command)));
    child.once("exit", () => over("Connection closed"));
  });
  const serverMessages = new ServerMessages(listener, send);
  const take = (message: Rpc) =>
    message.method === undefined ? pending.take(message) : serverMessages.take(message);
  void (async () => {
    for await (const batch of readLines(child.stdout)) {
      for (const line of batch) {
        const message = parseObject(lineText(line));
        if (typeof message !== "string") take(message);
      }
    }
  })().catch(() => {});
  return {
    request(method, params, options) {
      const { id, answer } = pending.open(options);
      send(getRequest(id, method, params));
      return answer;
    },
    async notify(method, params) {
      send({ method, ...(params ? { params } : {}) });
    },
    close() {
      child.stdin.end();
      signalGroup(child.pid, "SIGTERM");
    },
    closed,
  };
}

/**
 * Removes the command, because hosts must not see what a person's configuration starts. Claude Code
 * also does so for all but the shortest names.
 */
function withoutCommand(errorText: string, command: string): string {
  return command.length < 4 ? errorText : errorText.replaceAll(command, "stdio");
}
