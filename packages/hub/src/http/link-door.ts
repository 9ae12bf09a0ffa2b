import { LINK_PATH, LINK_PROTOCOL } from "@signalbox/api/link";
import { CLOSED_UNAUTHORIZED, linkProofText } from "@signalbox/api";
import type { Access, Credential } from "../devices/access.ts";
import { Refusal, type RunnerGateway } from "../engine.ts";
import { closeSocket, type Conversation, type Socket } from "./conversation.ts";

export { LINK_PATH, LINK_PROTOCOL };

/** `/api/runner`: the link of a runner, which proves itself before anything is opened. */
export class LinkDoor {
  readonly access: Access;
  readonly runners: RunnerGateway;
  readonly #ownRunner: () => string | undefined;
  readonly #inside = new Set<LinkVisit>();

  /** `ownRunner`: the device of the runner that this hub started. */
  constructor(access: Access, runners: RunnerGateway, ownRunner: () => string | undefined) {
    this.access = access;
    this.runners = runners;
    this.#ownRunner = ownRunner;
    access.book.onRevoked((device) => {
      for (const visit of this.#inside) if (visit.device === device) visit.beat();
      runners.removeRunner(device);
    });
  }

  visit(credential: Credential, headers: Headers): LinkVisit {
    const protocols = headers.get("sec-websocket-protocol");
    if (credential.kind !== "runner") {
      throw new Refusal(403, "role-too-weak", "Only a runner's credential opens the link.");
    }
    if (!protocols?.split(",").some((name) => name.trim() === LINK_PROTOCOL)) {
      throw new Refusal(
        400,
        "wrong-protocol",
        `The link speaks ${LINK_PROTOCOL} and nothing else.`,
      );
    }
    // The hub proves itself on this very connection, before the runner says anything.
    const text = linkProofText(headers.get("authorization") ?? "", headers.get("host") ?? "");
    return new LinkVisit(this, credential.device, this.access.identity.key.sign(text));
  }

  isOwn(device: string): boolean {
    return this.#ownRunner() === device;
  }

  entered(visit: LinkVisit): void {
    this.#inside.add(visit);
  }

  left(visit: LinkVisit): void {
    this.#inside.delete(visit);
  }
}

class LinkVisit implements Conversation {
  unanswered = 0;
  readonly device: string;
  readonly #door: LinkDoor;
  readonly #proof: string;
  #socket: Socket | undefined;
  #link: ReturnType<RunnerGateway["accept"]> | undefined;

  constructor(door: LinkDoor, device: string, proof: string) {
    this.#door = door;
    this.device = device;
    this.#proof = proof;
  }

  opened(socket: Socket): void {
    this.#socket = socket;
    this.#door.entered(this);
    socket.send(JSON.stringify({ type: "hub", proof: this.#proof }));
    const own = this.#door.isOwn(this.device);
    this.#link = this.#door.runners.accept(
      { id: this.device, own },
      {
        send: (text) => void socket.send(text),
        close: (code, reason) => closeSocket(socket, code, reason),
      },
    );
  }

  received(text: string): void {
    this.#link?.receive(text);
  }

  closed(): void {
    const link = this.#link;
    this.#link = undefined;
    this.#door.left(this);
    link?.closed();
  }

  beat(): void {
    const socket = this.#socket;
    if (!socket || this.#door.access.stillHolds({ kind: "runner", device: this.device })) return;
    this.closed();
    closeSocket(socket, CLOSED_UNAUTHORIZED, "This runner was taken away.");
  }
}
