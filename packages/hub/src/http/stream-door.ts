import {
  isRoleAtLeast,
  type ClientFrame,
  CLOSED_COME_AGAIN,
  CLOSED_MISSHAPEN,
  CLOSED_UNAUTHORIZED,
  clientFrame,
  type HubFrame,
  STREAM_VERSION,
  streamProofText,
  TICKET_PROTOCOL,
} from "@signalbox/api";
import { isObject } from "@signalbox/protocol";
import type { Access, Person } from "../devices/access.ts";
import type { Engine, Subscriber } from "../engine.ts";
import type { Store } from "../log/store.ts";
import { closeSocket, type Conversation, type Socket } from "./conversation.ts";
import type { DeviceLimits } from "./device-limits.ts";
import { readJson } from "./read-json.ts";

const HELLO_WITHIN = 5000;
const LARGEST_HELLO = 64 * 1024;
const LARGEST_FRAME = 1024 * 1024;
/** Frames that come before the welcome is out; a client needs three. */
const MOST_EARLY = 100;
/** The engine stops for who does not acknowledge or read; whoever makes us answer all the same is cut. */
const LARGEST_BUFFER = 4 * 1024 * 1024;

const known = new Set<unknown>(clientFrame.options.map((option) => option.shape.type.value));

export interface StreamRooms {
  readonly access: Access;
  readonly engine: Pick<Engine, "connect">;
  readonly store: Pick<Store, "epoch" | "auditHead">;
  readonly limits: DeviceLimits;
}

/**
 * `/api/stream`: everything live. The upgrade shows a ticket, and without a right one there is no socket:
 * Bun keeps of a frame what its one limit allows for all sockets, so nobody unknown may send any.
 */
export class StreamDoor {
  readonly rooms: StreamRooms;
  readonly #inside = new Set<StreamVisit>();

  constructor(rooms: StreamRooms) {
    this.rooms = rooms;
    rooms.access.book.onRevoked((device) => {
      for (const visit of this.#inside) if (visit.device === device) visit.checkCredential();
    });
    rooms.access.onElevations(() => {
      for (const visit of this.#inside) visit.tellElevations();
    });
  }

  /** Nobody: no ticket is among the protocols that the upgrade offers. */
  visit(headers: Headers): StreamVisit | "wrong" | "nobody" {
    const protocols = headers.get("sec-websocket-protocol");
    const offered = protocols?.split(",").map((name) => name.trim()) ?? [];
    const shown = offered.find((name) => name.startsWith(TICKET_PROTOCOL));
    if (shown === undefined) return "nobody";
    const ticket = shown.slice(TICKET_PROTOCOL.length);
    const person = this.rooms.access.redeemTicket(ticket);
    if (!person) return "wrong";
    this.rooms.limits.requireFreeStream(person.actor.device);
    const { key } = this.rooms.access.identity;
    const proof = key.sign(streamProofText(ticket, headers.get("host") ?? ""));
    return new StreamVisit(this, person, proof);
  }

  entered(visit: StreamVisit): void {
    this.#inside.add(visit);
  }

  left(visit: StreamVisit): void {
    this.#inside.delete(visit);
  }
}

type State =
  | { readonly at: "door"; readonly timer: ReturnType<typeof setTimeout> }
  | { readonly at: "threshold"; readonly person: Person; readonly early: string[] }
  | { readonly at: "inside"; readonly person: Person; readonly subscriber: Subscriber }
  | { readonly at: "end" };

class StreamVisit implements Conversation {
  unanswered = 0;
  readonly #door: StreamDoor;
  /** Who this is, as the upgrade has shown. */
  readonly #person: Person;
  readonly #proof: string;
  #state: State = { at: "end" };
  #socket: Socket | undefined;
  /** UTF-16 units of frames that are the door's and not the engine's. */
  #ownUnits = 0;

  constructor(door: StreamDoor, person: Person, proof: string) {
    this.#door = door;
    this.#person = person;
    this.#proof = proof;
  }

  get device(): string | undefined {
    return "person" in this.#state ? this.#state.person.actor.device : undefined;
  }

  opened(socket: Socket): void {
    this.#socket = socket;
    this.#door.rooms.limits.streamOpened(this.#person.actor.device);
    const late = () => this.end(CLOSED_COME_AGAIN, "No hello within five seconds.");
    this.#state = { at: "door", timer: setTimeout(late, HELLO_WITHIN) };
  }

  received(text: string): void {
    const limit = this.#state.at === "door" ? LARGEST_HELLO : LARGEST_FRAME;
    if (text.length > limit || Buffer.byteLength(text) > limit) {
      this.end(1009, `A frame is larger than ${limit} bytes.`);
      return;
    }
    if (this.#state.at === "threshold") {
      if (this.#state.early.push(text) > MOST_EARLY) this.end(CLOSED_MISSHAPEN, "Too many frames.");
      return;
    }
    const frame = readFrame(text);
    if (frame === "misshapen") this.end(CLOSED_MISSHAPEN, "A frame has a shape that is not known.");
    else if (this.#state.at === "door") this.#greet(frame);
    else if (this.#state.at === "inside" && frame) this.#obey(frame, this.#state);
  }

  closed(): void {
    if (this.#socket) this.#door.rooms.limits.streamClosed(this.#person.actor.device);
    this.#socket = undefined;
    this.#leave();
  }

  drained(): void {
    if (this.#state.at === "inside") this.#state.subscriber.drained();
  }

  beat(): void {
    if (this.checkCredential() && this.#state.at === "inside") this.#send({ type: "beat" });
  }

  /** Out, if whoever this is may no longer be in. */
  checkCredential(): boolean {
    const person = "person" in this.#state ? this.#state.person : undefined;
    if (!person || this.#door.rooms.access.stillHolds(person)) return true;
    this.end(CLOSED_UNAUTHORIZED, "This device was taken away, or its time is over.");
    return false;
  }

  tellElevations(): void {
    if (this.#state.at !== "inside" || !this.checkCredential()) return;
    const { actor, elevation } = this.#state.person;
    if (elevation !== undefined || !isRoleAtLeast(actor.role, "approver")) return;
    const elevations = this.#door.rooms.access.elevations.waiting();
    this.#send({ type: "elevations", elevations });
  }

  end(code: number, reason: string): void {
    const socket = this.#socket;
    this.#leave();
    if (socket) closeSocket(socket, code, reason);
  }

  #leave(): void {
    const state = this.#state;
    this.#state = { at: "end" };
    this.#door.left(this);
    if (state.at === "door") clearTimeout(state.timer);
    if (state.at === "inside") state.subscriber.close();
  }

  #greet(frame: ClientFrame | undefined): void {
    if (this.#state.at !== "door") return;
    const person = this.#person;
    if (frame?.type !== "hello" || !this.#door.rooms.access.stillHolds(person)) {
      this.end(CLOSED_UNAUTHORIZED, "A stream begins with hello.");
      return;
    }
    if (frame.version !== STREAM_VERSION) {
      const detail = `This hub speaks version ${STREAM_VERSION} of the stream. Load the page again, or update the program.`;
      this.#send({ type: "refused", detail });
      this.end(CLOSED_MISSHAPEN, "Another version of the stream.");
      return;
    }
    clearTimeout(this.#state.timer);
    this.#state = { at: "threshold", person, early: [] };
    this.#door.entered(this);
    this.#enter(person).catch(() => this.end(1011, "The hub could not begin the stream."));
  }

  async #enter(person: Person): Promise<void> {
    const { access, engine, store } = this.#door.rooms;
    const auditHead = await store.auditHead();
    const row = access.book.find(person.actor.device);
    if (this.#state.at !== "threshold" || !row) return;
    const { early } = this.#state;
    const device = { ...access.book.view(row, true), role: person.actor.role };
    const { hub } = access.identity;
    const { epoch } = store;
    const now = Date.now();
    const facts = { hub, epoch, device, auditHead, now, proof: this.#proof };
    this.#send({ type: "welcome", version: STREAM_VERSION, ...facts });
    const unsent = () => this.#socket?.getBufferedAmount() ?? 0;
    const subscriber = engine.connect(person.actor, (text) => this.#put(text), unsent);
    this.#state = { at: "inside", person, subscriber };
    this.tellElevations();
    for (const text of early) this.received(text);
  }

  /** The role is looked at with every frame; a viewer may do all that frames can ask for. */
  #obey(frame: ClientFrame, { subscriber }: Extract<State, { at: "inside" }>): void {
    if (!this.checkCredential()) return;
    switch (frame.type) {
      case "hello":
        return this.end(CLOSED_MISSHAPEN, "Hello is said once.");
      case "watch-board":
        return subscriber.watchBoard();
      case "leave-board":
        return subscriber.leaveBoard();
      case "watch": {
        const { session, epoch, rev } = frame;
        const has = epoch === undefined || rev === undefined ? undefined : { epoch, rev };
        return has ? subscriber.watch(session, has) : subscriber.watch(session);
      }
      case "leave":
        return subscriber.leave(frame.session);
      case "ack":
        // The client counts all frames, the engine its own.
        return subscriber.acknowledge(Math.max(0, frame.received - this.#ownUnits));
      default:
        return frame satisfies never;
    }
  }

  #send(frame: HubFrame): void {
    const text = JSON.stringify(frame);
    this.#ownUnits += text.length;
    this.#put(text);
  }

  #put(text: string): void {
    const socket = this.#socket;
    if (!socket || this.#state.at === "end") return;
    // Looked at before: one frame alone may be larger, and goes when nothing else waits.
    if (socket.getBufferedAmount() > LARGEST_BUFFER) this.end(1013, "Too much waits to be read.");
    else socket.send(text);
  }
}

/** Undefined: a frame of a newer client, to be ignored. */
function readFrame(text: string): ClientFrame | "misshapen" | undefined {
  let value: unknown;
  try {
    value = readJson(text);
  } catch {
    return "misshapen";
  }
  if (!isObject(value) || typeof value.type !== "string") return "misshapen";
  if (!known.has(value.type)) return undefined;
  const { success, data } = clientFrame.safeParse(value);
  return success ? data : "misshapen";
}
