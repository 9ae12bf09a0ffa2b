import { closeSocket, type SocketHandler, Refusal, type Socket } from "@signalbox/hub/extension";
import type { AgentSocket, AgentWire } from "../transport/agent-transport.ts";
import type { Agents, Claim } from "./agents.ts";

/** How long whoever holds a session has to answer a ping when another claims it. */
const PING_MS = 1000;
const LOOK_MS = 20;

/** One connection of an agent whose path names its session. */
export class AgentVisit implements SocketHandler {
  unansweredPings = 0;
  readonly #agents: Agents;
  readonly #session: string;
  readonly #claim: Claim;
  readonly #onRefused: (refusal: Refusal) => void;
  #early: string[] | undefined = [];
  #socket: AgentSocket | undefined;
  #wire: AgentWire | undefined;

  constructor(
    agents: Agents,
    session: string,
    claim: Claim,
    onRefused: (refusal: Refusal) => void,
  ) {
    this.#onRefused = onRefused;
    this.#agents = agents;
    this.#session = session;
    this.#claim = claim;
  }

  onOpen(socket: Socket): void {
    const own = agentSocket(socket);
    this.#socket = own;
    this.#agents.take(this.#session, this.#claim, own).then(
      (wire) => this.#entered(wire),
      (failure: unknown) => this.#failed(own, failure),
    );
  }

  #failed(own: AgentSocket, failure: unknown): void {
    if (!(failure instanceof Refusal)) {
      return own.close(1011, "The hub failed at this; its log says more.");
    }
    this.#onRefused(failure);
    own.close(4409, failure.message);
  }

  #entered(wire: AgentWire): void {
    this.#wire = wire;
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const text of early) this.onMessage(text);
    if (!this.#socket) return;
    if (this.#code !== undefined) wire.detach(this.#socket, this.#code);
  }
  #code: number | undefined;

  onMessage(text: string): void {
    if (!this.#wire || !this.#socket) this.#early?.push(text);
    else this.#wire.receive(this.#socket, text);
  }

  onClose(code = 1006): void {
    this.#code = code;
    if (this.#socket) this.#wire?.detach(this.#socket, code);
  }

  onHeartbeat(): void {}
}

export function agentSocket(socket: Socket): AgentSocket {
  return {
    send: (text) => void socket.send(text),
    close: (code, reason) => closeSocket(socket, code, reason),
    async answers() {
      const { data } = socket;
      data.unansweredPings += 1;
      socket.ping();
      for (let waited = 0; waited < PING_MS && socket.readyState === 1; waited += LOOK_MS) {
        if (data.unansweredPings === 0) return true;
        await Bun.sleep(LOOK_MS);
      }
      return data.unansweredPings === 0;
    },
  };
}
