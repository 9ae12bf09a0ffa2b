import { isRoleAtLeast, type ClientFrame, type DraftView, type HubFrame } from "@signalbox/api";
import {
  CLOSED_COME_AGAIN,
  CLOSED_MALFORMED,
  CLOSED_UNAUTHORIZED,
  STREAM_VERSION,
  TICKET_PROTOCOL,
} from "@signalbox/api/constants";
import { streamProofText } from "@signalbox/api/proof";
import { clientFrame } from "@signalbox/api/schemas";
import { isObject } from "@signalbox/protocol/wire";
import type { AccessControl, Person } from "../devices/access-control.ts";
import { type Engine, HubRefusal, type Subscriber } from "../engine.ts";
import type { Store } from "../store/store.ts";
import { closeSocket, type SocketHandler, type Socket } from "./socket-handler.ts";
import type { DeviceLimits } from "./device-limits.ts";
import { requireEmbeddableCredential } from "./embedding.ts";
import { readJson } from "./read-json.ts";

const HELLO_TIMEOUT_MS = 5000;
const MAX_HELLO_BYTES = 64 * 1024;
const MAX_FRAME_BYTES = 1024 * 1024;
/** Frames that may arrive before the welcome is sent; a client needs three. */
const MAX_EARLY_FRAMES = 100;
/**
 * The limit for unsent bytes. The engine stops sending to a client that does not acknowledge or read; one
 * that makes the hub answer nevertheless is disconnected.
 */
const MAX_BUFFERED_BYTES = 4 * 1024 * 1024;

const knownTypes = new Set<unknown>(clientFrame.options.map((option) => option.shape.type.value));

interface StreamServices {
  readonly access: AccessControl;
  readonly engine: Pick<Engine, "clients" | "terminals" | "drafts" | "embeddingOrigins">;
  readonly store: Pick<Store, "epoch" | "auditHead">;
  readonly limits: DeviceLimits;
}

/**
 * Serves live data at `/api/stream`. The upgrade shows a ticket, and without a valid one no socket is opened:
 * Bun buffers frames up to the one limit that it has for all sockets, so nobody unknown may send any.
 */
export class StreamEndpoint {
  readonly services: StreamServices;
  readonly #sockets = new Set<StreamSocket>();

  constructor(services: StreamServices) {
    this.services = services;
    services.access.devices.onRevoked((device) => {
      for (const socket of this.#sockets) if (socket.device === device) socket.checkCredential();
    });
    services.engine.drafts.onSaved((draft) => {
      for (const socket of this.#sockets) socket.sendDraft(draft);
    });
    services.engine.embeddingOrigins.onChanged(() => {
      for (const socket of this.#sockets) socket.checkOrigin();
    });
    services.access.onElevations(() => {
      for (const socket of this.#sockets) socket.sendElevations();
    });
  }

  /**
   * Accepts an upgrade. Returns "nobody" if it offers no ticket among its protocols, and "wrong" if the
   * ticket is not valid.
   */
  accept(headers: Headers, embeddingOrigin: string | undefined): StreamSocket | "wrong" | "nobody" {
    const protocols = headers.get("sec-websocket-protocol");
    const offered = protocols?.split(",").map((name) => name.trim()) ?? [];
    const shown = offered.find((name) => name.startsWith(TICKET_PROTOCOL));
    if (shown === undefined) return "nobody";
    const ticket = shown.slice(TICKET_PROTOCOL.length);
    const person = this.services.access.redeemTicket(ticket);
    if (!person) return "wrong";
    requireEmbeddableCredential(person, embeddingOrigin);
    this.services.limits.requireFreeStream(person.actor.device);
    const { key } = this.services.access.identity;
    const proof = key.sign(streamProofText(ticket, headers.get("host") ?? ""));
    return new StreamSocket(this, person, proof, embeddingOrigin);
  }

  add(socket: StreamSocket): void {
    this.#sockets.add(socket);
  }

  remove(socket: StreamSocket): void {
    this.#sockets.delete(socket);
  }
}

type State =
  | { readonly at: "awaiting-hello"; readonly timer: ReturnType<typeof setTimeout> }
  | { readonly at: "welcoming"; readonly person: Person; readonly early: string[] }
  | { readonly at: "live"; readonly person: Person; readonly subscriber: Subscriber }
  | { readonly at: "closed" };

class StreamSocket implements SocketHandler {
  unansweredPings = 0;
  readonly #endpoint: StreamEndpoint;
  /** The person whose ticket the upgrade has shown. */
  readonly #person: Person;
  readonly #proof: string;
  readonly #embeddingOrigin: string | undefined;
  #state: State = { at: "closed" };
  #socket: Socket | undefined;
  /** The size of frames, in UTF-16 units, that this endpoint sends and the engine does not count. */
  #endpointUnits = 0;

  constructor(
    endpoint: StreamEndpoint,
    person: Person,
    proof: string,
    embeddingOrigin: string | undefined,
  ) {
    this.#endpoint = endpoint;
    this.#person = person;
    this.#proof = proof;
    this.#embeddingOrigin = embeddingOrigin;
  }

  get device(): string | undefined {
    return "person" in this.#state ? this.#state.person.actor.device : undefined;
  }

  /** Closes the stream of a page whose origin is no longer listed. */
  checkOrigin(): void {
    const origin = this.#embeddingOrigin;
    if (origin === undefined || this.#endpoint.services.engine.embeddingOrigins.has(origin)) return;
    this.close(CLOSED_UNAUTHORIZED, "The origin of this page is no longer listed.");
  }

  onOpen(socket: Socket): void {
    this.#socket = socket;
    this.#endpoint.services.limits.addStream(this.#person.actor.device);
    const late = () => this.close(CLOSED_COME_AGAIN, "No hello within five seconds.");
    this.#state = { at: "awaiting-hello", timer: setTimeout(late, HELLO_TIMEOUT_MS) };
  }

  onMessage(text: string): void {
    const limit = this.#state.at === "awaiting-hello" ? MAX_HELLO_BYTES : MAX_FRAME_BYTES;
    if (text.length > limit || Buffer.byteLength(text) > limit) {
      this.close(1009, `A frame is larger than ${limit} bytes.`);
      return;
    }
    if (this.#state.at === "welcoming") {
      if (this.#state.early.push(text) > MAX_EARLY_FRAMES)
        this.close(CLOSED_MALFORMED, "Too many frames.");
      return;
    }
    const frame = parseFrame(text);
    if (frame === "misshapen")
      this.close(CLOSED_MALFORMED, "A frame has a shape that is not known.");
    else if (this.#state.at === "awaiting-hello") this.#handleHello(frame);
    else if (this.#state.at === "live" && frame) this.#handleFrame(frame, this.#state);
  }

  onClose(): void {
    if (this.#socket) this.#endpoint.services.limits.removeStream(this.#person.actor.device);
    this.#socket = undefined;
    this.#detach();
  }

  onDrain(): void {
    if (this.#state.at === "live") this.#state.subscriber.onDrained();
  }

  onHeartbeat(): void {
    if (this.checkCredential() && this.#state.at === "live") this.#send({ type: "beat" });
  }

  /** Closes the stream if its credential no longer holds. */
  checkCredential(): boolean {
    const person = "person" in this.#state ? this.#state.person : undefined;
    if (!person || this.#endpoint.services.access.stillHolds(person)) return true;
    this.close(CLOSED_UNAUTHORIZED, "This device was taken away, or its time is over.");
    return false;
  }

  sendElevations(): void {
    if (this.#state.at !== "live" || !this.checkCredential()) return;
    const { actor, elevation } = this.#state.person;
    if (elevation !== undefined || !isRoleAtLeast(actor.role, "approver")) return;
    const elevations = this.#endpoint.services.access.elevations.listWaiting();
    this.#send({ type: "elevations", elevations });
  }

  sendDraft(draft: DraftView): void {
    if (this.#state.at !== "live" || !this.checkCredential()) return;
    const { actor } = this.#state.person;
    if (isRoleAtLeast(actor.role, "driver")) this.#send({ type: "draft", draft });
  }

  close(code: number, reason: string): void {
    const socket = this.#socket;
    this.#detach();
    if (socket) closeSocket(socket, code, reason);
  }

  #detach(): void {
    const state = this.#state;
    this.#state = { at: "closed" };
    this.#endpoint.remove(this);
    if (state.at === "awaiting-hello") clearTimeout(state.timer);
    if (state.at === "live") state.subscriber.close();
  }

  #handleHello(frame: ClientFrame | undefined): void {
    if (this.#state.at !== "awaiting-hello") return;
    const person = this.#person;
    if (frame?.type !== "hello" || !this.#endpoint.services.access.stillHolds(person)) {
      this.close(CLOSED_UNAUTHORIZED, "A stream begins with hello.");
      return;
    }
    if (frame.version !== STREAM_VERSION) {
      const detail = `This hub speaks version ${STREAM_VERSION} of the stream. Load the page again, or update the program.`;
      this.#send({ type: "refused", detail });
      this.close(CLOSED_MALFORMED, "Another version of the stream.");
      return;
    }
    clearTimeout(this.#state.timer);
    this.#state = { at: "welcoming", person, early: [] };
    this.#endpoint.add(this);
    this.#sendWelcome(person).catch(() => this.close(1011, "The hub could not begin the stream."));
  }

  async #sendWelcome(person: Person): Promise<void> {
    const { access, engine, store } = this.#endpoint.services;
    const auditHead = await store.auditHead();
    const row = access.devices.find(person.actor.device);
    if (this.#state.at !== "welcoming" || !row) return;
    const { early } = this.#state;
    const device = { ...access.devices.view(row, true), role: person.actor.role };
    const { hub } = access.identity;
    const { epoch } = store;
    const now = Date.now();
    const facts = { hub, epoch, device, auditHead, now, answersPings: true, proof: this.#proof };
    this.#send({ type: "welcome", version: STREAM_VERSION, ...facts });
    const unsent = () => this.#socket?.getBufferedAmount() ?? 0;
    const subscriber = engine.clients.connect((text) => this.#sendText(text), unsent);
    this.#state = { at: "live", person, subscriber };
    this.sendElevations();
    for (const text of early) this.onMessage(text);
  }

  /** Handles a client's frame. Typing into a terminal takes an approver; a viewer may do the rest. */
  #handleFrame(frame: ClientFrame, { subscriber, person }: Extract<State, { at: "live" }>): void {
    if (!this.checkCredential() || !this.#countFrame(frame, person)) return;
    switch (frame.type) {
      case "hello":
        return this.close(CLOSED_MALFORMED, "Hello is said once.");
      case "watch-board":
        return subscriber.watchBoard(frame.patches);
      case "leave-board":
        return subscriber.leaveBoard();
      case "watch": {
        const { session, epoch, rev, short = false } = frame;
        const has = epoch !== undefined && rev !== undefined && { cursor: { epoch, rev } };
        return subscriber.watch(session, { short, ...has });
      }
      case "leave":
        return subscriber.leave(frame.session);
      case "changes-watch":
        return subscriber.watchChanges(frame.session);
      case "changes-leave":
        return subscriber.leaveChanges(frame.session);
      case "terminal-watch":
        return subscriber.watchTerminal(frame.terminal);
      case "terminal-leave":
        return subscriber.leaveTerminal(frame.terminal);
      case "terminal-input": {
        const { type: _, ...input } = frame;
        return this.#asApprover(person, (by) => {
          this.#terminals.sendInput(input, by, person.actor.name);
        });
      }
      case "terminal-resize": {
        const { terminal, cols, rows } = frame;
        return this.#asApprover(person, () => this.#terminals.resize(terminal, cols, rows));
      }
      case "ping":
        return this.#send({ type: "pong" });
      case "ack":
        // The client counts all frames, the engine only its own.
        return subscriber.acknowledge(Math.max(0, frame.received - this.#endpointUnits));
      default:
        return frame satisfies never;
    }
  }

  /** Frames cause work as requests do, and count as such, but for acknowledgements. */
  #countFrame({ type }: ClientFrame, { actor }: Person): boolean {
    if (type === "ack") return true;
    try {
      this.#endpoint.services.limits.countRequest(actor.device);
      return true;
    } catch (failure) {
      if (!(failure instanceof HubRefusal)) throw failure;
      this.#send({ type: "refused", detail: failure.message });
      return false;
    }
  }

  get #terminals(): Engine["terminals"] {
    return this.#endpoint.services.engine.terminals;
  }

  /** Keys in a terminal answer requests, change modes and run commands. */
  #asApprover({ actor, elevation }: Person, act: (by: string) => void): void {
    if (isRoleAtLeast(actor.role, "approver")) return act(elevation ?? actor.device);
    const detail = "Typing into a terminal takes a device with the role approver.";
    this.#send({ type: "refused", detail });
  }

  #send(frame: HubFrame): void {
    const text = JSON.stringify(frame);
    this.#endpointUnits += text.length;
    this.#sendText(text);
  }

  #sendText(text: string): void {
    const socket = this.#socket;
    if (!socket || this.#state.at === "closed") return;
    // This is checked before sending, because a single frame may be larger and is sent when nothing else
    // waits.
    if (socket.getBufferedAmount() > MAX_BUFFERED_BYTES)
      this.close(1013, "Too much waits to be read.");
    else socket.send(text);
  }
}

/** Parses a client's frame. Undefined: it is of a newer client and is ignored. */
function parseFrame(text: string): ClientFrame | "misshapen" | undefined {
  let value: unknown;
  try {
    value = readJson(text);
  } catch {
    return "misshapen";
  }
  if (!isObject(value) || typeof value.type !== "string") return "misshapen";
  if (!knownTypes.has(value.type)) return undefined;
  const { success, data } = clientFrame.safeParse(value);
  return success ? data : "misshapen";
}
