// A driver of another package. `signalbox serve --driver-module examples/outside-driver/driver.ts` adds it to
// this machine, and `signalbox new --driver echo` starts a session with it. Its agent is no program at all: it
// says what it was told.
import type { Capabilities, CreateDriver, Run } from "@signalbox/host";
import { createRunEnd } from "@signalbox/host/launch";
import { createTransportPair, decode, type Transport } from "@signalbox/protocol";
import { Peer } from "@signalbox/protocol/wire";

const capabilities: Capabilities = {
  streaming: false,
  permissions: false,
  resume: true,
  fork: false,
  images: false,
  subagents: false,
  rewind: false,
  steering: false,
  stopTasks: false,
};

export const createDriver: CreateDriver = () => ({
  name: "echo",
  title: "Says what it was told",
  capabilities,
  async start({ folder, resume }): Promise<Run> {
    const [host, agent] = createTransportPair();
    void answer(agent, resume?.id ?? crypto.randomUUID());
    return {
      driver: "echo",
      capabilities,
      agent: { path: "echo", version: "1.0.0", versionClass: "untested" },
      unsupportedOptions: [],
      folder,
      stderr: "",
      incoming: host.incoming,
      closed: host.closed.then(() => createRunEnd("clean", {})),
      send: (line) => host.send(line),
      close: () => host.close(),
      [Symbol.asyncDispose]: () => host.close(),
    };
  },
});

/** The agent's side: lines of Claude Code's protocol. */
async function answer(agent: Transport, session_id: string): Promise<void> {
  const send = (line: string) => agent.send(line);
  const say = (message: object) => send(JSON.stringify({ ...message, session_id }));
  const peer = new Peer({ send, handlers: { initialize: () => ({}), interrupt: () => ({}) } });
  for await (const batch of agent.incoming) {
    for (const raw of batch) {
      const line = decode(raw);
      if (peer.accept(line) !== "message" || line.kind !== "known") continue;
      if (line.message.type !== "user") continue;
      const { content } = line.message.message;
      const text = `You said: ${typeof content === "string" ? content : JSON.stringify(content)}`;
      const message = {
        id: `msg_${crypto.randomUUID()}`,
        role: "assistant",
        model: "echo",
        content: [{ type: "text", text }],
      };
      await say({ type: "system", subtype: "init", uuid: crypto.randomUUID() });
      await say({ ...line.message, isReplay: true });
      await say({ type: "assistant", uuid: crypto.randomUUID(), message });
      await say({
        type: "result",
        subtype: "success",
        is_error: false,
        num_turns: 1,
        result: text,
      });
    }
  }
}
