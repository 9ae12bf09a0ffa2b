import { LINK_PATH, LINK_PROTOCOL } from "@signalbox/api/link";
import { CLOSED_UNAUTHORIZED } from "@signalbox/api/constants";
import { linkProofText } from "@signalbox/api/proof";
import type { AccessControl, Credential } from "../devices/access-control.ts";
import { HubRefusal, type RunnerGateway } from "../engine.ts";
import { closeSocket, type SocketHandler, type Socket } from "./socket-handler.ts";

export { LINK_PATH, LINK_PROTOCOL };

/** Accepts runners at `/api/runner`. A runner proves itself before the WebSocket is opened. */
export class RunnerEndpoint {
  readonly access: AccessControl;
  readonly runners: RunnerGateway;
  readonly #getLocalRunner: () => string | undefined;
  readonly #sockets = new Set<RunnerSocket>();

  /** `getLocalRunner` returns the device of the runner that this hub started. */
  constructor(
    access: AccessControl,
    runners: RunnerGateway,
    getLocalRunner: () => string | undefined,
  ) {
    this.access = access;
    this.runners = runners;
    this.#getLocalRunner = getLocalRunner;
    access.devices.onRevoked((device) => {
      for (const socket of this.#sockets) if (socket.device === device) socket.onHeartbeat();
      runners.removeRunner(device);
    });
  }

  accept(credential: Credential, headers: Headers): RunnerSocket {
    const protocols = headers.get("sec-websocket-protocol");
    if (credential.kind !== "runner") {
      throw new HubRefusal(403, "role-too-weak", "Only a runner's credential opens the link.");
    }
    if (!protocols?.split(",").some((name) => name.trim() === LINK_PROTOCOL)) {
      throw new HubRefusal(
        400,
        "wrong-protocol",
        `The link speaks ${LINK_PROTOCOL} and nothing else.`,
      );
    }
    // The hub proves itself on this very connection before the runner sends anything.
    const text = linkProofText(headers.get("authorization") ?? "", headers.get("host") ?? "");
    return new RunnerSocket(this, credential.device, this.access.identity.key.sign(text));
  }

  isLocalRunner(device: string): boolean {
    return this.#getLocalRunner() === device;
  }

  add(socket: RunnerSocket): void {
    this.#sockets.add(socket);
  }

  remove(socket: RunnerSocket): void {
    this.#sockets.delete(socket);
  }
}

class RunnerSocket implements SocketHandler {
  unansweredPings = 0;
  readonly device: string;
  readonly #endpoint: RunnerEndpoint;
  readonly #proof: string;
  #socket: Socket | undefined;
  #link: ReturnType<RunnerGateway["accept"]> | undefined;

  constructor(endpoint: RunnerEndpoint, device: string, proof: string) {
    this.#endpoint = endpoint;
    this.device = device;
    this.#proof = proof;
  }

  onOpen(socket: Socket): void {
    this.#socket = socket;
    this.#endpoint.add(this);
    socket.send(JSON.stringify({ type: "hub", proof: this.#proof }));
    const own = this.#endpoint.isLocalRunner(this.device);
    this.#link = this.#endpoint.runners.accept(
      { id: this.device, own },
      {
        send: (text) => void socket.send(text),
        close: (code, reason) => closeSocket(socket, code, reason),
      },
    );
  }

  onMessage(text: string): void {
    this.#link?.receive(text);
  }

  onClose(): void {
    const link = this.#link;
    this.#link = undefined;
    this.#endpoint.remove(this);
    link?.closed();
  }

  onHeartbeat(): void {
    const socket = this.#socket;
    if (!socket || this.#endpoint.access.stillHolds({ kind: "runner", device: this.device }))
      return;
    this.onClose();
    closeSocket(socket, CLOSED_UNAUTHORIZED, "This runner was taken away.");
  }
}
