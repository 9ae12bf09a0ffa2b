import { closeSocket, type SocketHandler, HubRefusal, type Socket } from "@signalbox/hub/extension";
import type { AgentSocket, AgentTransport } from "../transport/agent-transport.ts";
import type { Agents, ConnectionClaim } from "./agents.ts";

/**
 * How long the agent that holds a session has to answer a ping when another agent claims the
 * session.
 */
const PING_TIMEOUT_MS = 1000;
const POLL_MS = 20;

/** One connection of an agent whose path names its session. */
export class AgentSocketHandler implements SocketHandler {
  unansweredPings = 0;
  readonly #agents: Agents;
  readonly #session: string;
  readonly #claim: ConnectionClaim;
  readonly #onRefused: (refusal: HubRefusal) => void;
  #earlyFrames: string[] | undefined = [];
  #socket: AgentSocket | undefined;
  #transport: AgentTransport | undefined;

  constructor(
    agents: Agents,
    session: string,
    claim: ConnectionClaim,
    onRefused: (refusal: HubRefusal) => void,
  ) {
    this.#onRefused = onRefused;
    this.#agents = agents;
    this.#session = session;
    this.#claim = claim;
  }

  onOpen(socket: Socket): void {
    const own = toAgentSocket(socket);
    this.#socket = own;
    this.#agents.claimAndEnter(this.#session, this.#claim, own).then(
      (transport) => this.#onEntered(transport),
      (failure: unknown) => this.#onFailed(own, failure),
    );
  }

  #onFailed(own: AgentSocket, failure: unknown): void {
    if (!(failure instanceof HubRefusal)) {
      return own.close(1011, "The hub failed at this; its log says more.");
    }
    this.#onRefused(failure);
    own.close(4409, failure.message);
  }

  #onEntered(transport: AgentTransport): void {
    this.#transport = transport;
    const early = this.#earlyFrames ?? [];
    this.#earlyFrames = undefined;
    for (const text of early) this.onMessage(text);
    if (!this.#socket) return;
    if (this.#closeCode !== undefined) transport.detach(this.#socket, this.#closeCode);
  }
  #closeCode: number | undefined;

  onMessage(text: string): void {
    if (!this.#transport || !this.#socket) this.#earlyFrames?.push(text);
    else this.#transport.receive(this.#socket, text);
  }

  onClose(code = 1006): void {
    this.#closeCode = code;
    if (this.#socket) this.#transport?.detach(this.#socket, code);
  }

  onHeartbeat(): void {}
}

export function toAgentSocket(socket: Socket): AgentSocket {
  return {
    send: (text) => void socket.send(text),
    close: (code, reason) => closeSocket(socket, code, reason),
    async respondsToPing() {
      const { data } = socket;
      data.unansweredPings += 1;
      socket.ping();
      for (let waited = 0; waited < PING_TIMEOUT_MS && socket.readyState === 1; waited += POLL_MS) {
        if (data.unansweredPings === 0) return true;
        await Bun.sleep(POLL_MS);
      }
      return data.unansweredPings === 0;
    },
  };
}
