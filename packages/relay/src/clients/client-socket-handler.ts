import { type AskView, isRoleAtLeast, type DeviceRole, type HubDecision } from "@signalbox/api";
import { CLOSED_UNAUTHORIZED } from "@signalbox/api/constants";
import { type JsonObject, parseObject } from "@signalbox/protocol";
import { FrameLines, isObject } from "@signalbox/protocol/wire";
import {
  type AccessControl,
  type Actor,
  closeSocket,
  type SocketHandler,
  type Person,
  HubRefusal,
  type SignedDecision,
  type Socket,
} from "@signalbox/hub/extension";

const AUTH_TIMEOUT_MS = 5000;
const MAX_AUTH_FRAME = 64 * 1024;
/** A client that does not read is disconnected; it can read the log. */
const MAX_BUFFERED_BYTES = 16 * 1024 * 1024;

/** Who the client is: a person with a device, or, where the relay is open, anyone on this machine. */
export type ClientIdentity =
  | { readonly kind: "person"; readonly person: Person }
  | { readonly kind: "open"; readonly actor: Actor; readonly arrived: OnArrived }
  /** Shows its ticket or token in its first frame, as the official SDK in a browser does. */
  | { readonly kind: "unknown"; readonly arrived: OnArrived };
/** Called when the client has connected. Returns what to call when it has left or has identified itself. */
type OnArrived = (visit: ClientSocketHandler) => () => void;

/** A connection of a client that uses the agents' own protocol: lines in, lines out. */
export abstract class ClientSocketHandler implements SocketHandler {
  unansweredPings = 0;
  readonly #access: AccessControl;
  readonly #frames = new FrameLines();
  #identity: ClientIdentity;
  #socket: Socket | undefined;
  #releasePlace: (() => void) | undefined;
  #onLeft: (() => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pending: Promise<void> = Promise.resolve();
  #isDismissed = false;

  constructor(access: AccessControl, identity: ClientIdentity) {
    this.#access = access;
    this.#identity = identity;
  }

  /** The client has been admitted. Returns the function to call when it leaves. */
  protected abstract onEntered(): () => void;
  protected abstract handleMessage(body: JsonObject): Promise<void>;
  /** A request of the client was refused. */
  protected abstract onRefused(body: JsonObject, why: string): void;

  protected get actor(): Actor {
    const identity = this.#identity;
    if (identity.kind === "person") return identity.person.actor;
    if (identity.kind === "open") return identity.actor;
    throw new HubRefusal(401, "no-credential", "The connection has no credential.");
  }

  protected require(role: DeviceRole): void {
    if (isRoleAtLeast(this.actor.role, role)) return;
    throw new HubRefusal(403, "role-too-weak", `This takes the role ${role} or above.`);
  }

  /**
   * Signed by the delegation that came with the ticket. None is needed for code that runs inside
   * the hub.
   */
  protected signedDecision(ask: AskView, decision: HubDecision): SignedDecision | undefined {
    const identity = this.#identity;
    if (identity.kind !== "person") return undefined;
    return this.#access.signByDelegation(identity.person, ask, decision);
  }

  protected sendLine(line: string | object): void {
    const socket = this.#socket;
    if (!socket || !this.#onLeft) return;
    socket.send(`${typeof line === "string" ? line : JSON.stringify(line)}\n`);
    if (socket.getBufferedAmount() > MAX_BUFFERED_BYTES) socket.terminate();
  }

  onOpen(socket: Socket): void {
    this.#socket = socket;
    if (this.#identity.kind !== "person") this.#releasePlace = this.#identity.arrived(this);
    if (this.#isDismissed) return;
    if (this.#identity.kind !== "unknown") this.#onLeft = this.onEntered();
    else
      this.#timer = setTimeout(
        () => this.end("No credential within five seconds."),
        AUTH_TIMEOUT_MS,
      );
  }

  /** Disconnects the client and drops messages that it has sent and that were not handled yet. */
  end(why: string, code = CLOSED_UNAUTHORIZED): void {
    this.#isDismissed = true;
    if (this.#socket) closeSocket(this.#socket, code, why);
    this.#leave(); // its place is free when its socket is gone
  }

  /** Disconnects the client without a closing handshake. */
  terminate(): void {
    this.#isDismissed = true;
    this.#socket?.terminate();
  }

  onMessage(text: string): void {
    if (this.#isDismissed) return;
    if (this.#identity.kind === "unknown" && text.length > MAX_AUTH_FRAME) {
      return this.end("The first frame is too large. Send a credential first.", 1009);
    }
    const lines = this.#frames.push(text);
    if (!lines) return this.end("A line is longer than 64 MiB.", 1009);
    for (const line of lines) {
      const body = parseObject(line);
      if (typeof body === "string") return this.end(`This is not a message: ${body}.`, 4400);
      if (this.#identity.kind === "unknown") {
        if (this.#authenticate(body)) continue;
        return this.end("The first frame must carry a ticket or a device's token.");
      }
      this.#pending = this.#pending.then(() => this.#handleSafely(body));
    }
  }

  async #handleSafely(body: JsonObject): Promise<void> {
    if (this.#isDismissed) return;
    try {
      await this.handleMessage(body);
    } catch (failure) {
      this.onRefused(
        body,
        failure instanceof HubRefusal ? failure.message : "The hub failed at this.",
      );
    }
  }

  /**
   * The form that the official SDK sends:
   * `{"type":"auth","credential":{"type":"oauth","token":"…"}}`.
   */
  #authenticate({ credential }: JsonObject): boolean {
    const token = isObject(credential) ? credential["token"] : undefined;
    const person = typeof token === "string" ? this.#findPerson(token) : undefined;
    if (!person) {
      this.#access.recordWrongGuess({ peer: "relay", code: "wrong-credential" });
      return false;
    }
    clearTimeout(this.#timer);
    this.#releasePlace?.();
    this.#releasePlace = undefined;
    this.#identity = { kind: "person", person };
    this.#onLeft = this.onEntered();
    return true;
  }

  #findPerson(token: string): Person | undefined {
    const ticket = this.#access.redeemTicket(token);
    if (ticket) return ticket;
    const found = this.#access.authenticate(token);
    return typeof found === "object" && found.kind === "person" ? found : undefined;
  }

  /** Disconnects a client whose device was revoked. */
  checkCredential(): void {
    const identity = this.#identity;
    if (identity.kind !== "person" || this.#access.stillHolds(identity.person)) return;
    this.end("This device was revoked.");
  }

  onHeartbeat(): void {
    this.checkCredential();
  }

  onClose(): void {
    this.#releasePlace?.();
    this.#releasePlace = undefined;
    this.#leave();
  }

  #leave(): void {
    clearTimeout(this.#timer);
    const left = this.#onLeft;
    this.#onLeft = undefined;
    left?.();
  }
}
