import {
  type AskView,
  isRoleAtLeast,
  CLOSED_UNAUTHORIZED,
  type DeviceRole,
  type HubDecision,
} from "@signalbox/api";
import { FrameLines, isObject, type JsonObject, parseObject } from "@signalbox/protocol";
import {
  type AccessControl,
  type Actor,
  closeSocket,
  type SocketHandler,
  type Person,
  Refusal,
  type SignedDecision,
  type Socket,
} from "@signalbox/hub/extension";

const AUTH_WITHIN_MS = 5000;
const LARGEST_AUTH = 64 * 1024;
/** Who does not read is cut: there is always the log. */
const LARGEST_BUFFER = 16 * 1024 * 1024;

/** Who speaks: a device, or, where the relay is open, whoever is on this machine. */
export type Speaker =
  | { readonly kind: "person"; readonly person: Person }
  | { readonly kind: "open"; readonly actor: Actor; readonly arrived: Arrived }
  /** Shows its ticket or token in its first frame, as the official SDK in a browser does. */
  | { readonly kind: "unknown"; readonly arrived: Arrived };
/** It is there; gives back what is to be done when it is not any more, or has said who it is. */
export type Arrived = (visit: ClientVisit) => () => void;

/** A connection of somebody who speaks the agents' own language: lines in, lines out. */
export abstract class ClientVisit implements SocketHandler {
  unansweredPings = 0;
  readonly #access: AccessControl;
  readonly #frames = new FrameLines();
  #speaker: Speaker;
  #socket: Socket | undefined;
  #leave: (() => void) | undefined;
  #left: (() => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #work: Promise<void> = Promise.resolve();
  #sentAway = false;

  constructor(access: AccessControl, speaker: Speaker) {
    this.#access = access;
    this.#speaker = speaker;
  }

  /** It is inside: gives back what is to be done at its end. */
  protected abstract entered(): () => void;
  protected abstract take(body: JsonObject): Promise<void>;
  /** Something that it asked for was not done. */
  protected abstract refused(body: JsonObject, why: string): void;

  protected get actor(): Actor {
    const speaker = this.#speaker;
    if (speaker.kind === "person") return speaker.person.actor;
    if (speaker.kind === "open") return speaker.actor;
    throw new Refusal(401, "no-credential", "Nobody knows who this is.");
  }

  protected require(role: DeviceRole): void {
    if (isRoleAtLeast(this.actor.role, role)) return;
    throw new Refusal(403, "role-too-weak", `This takes the role ${role}.`);
  }

  /** By the approver's word that came with the ticket; none: what runs inside the hub needs none. */
  protected signedDecision(ask: AskView, decision: HubDecision): SignedDecision | undefined {
    const speaker = this.#speaker;
    if (speaker.kind !== "person") return undefined;
    return this.#access.delegatedDecision(speaker.person, ask, decision);
  }

  protected say(line: string | object): void {
    const socket = this.#socket;
    if (!socket || !this.#left) return;
    socket.send(`${typeof line === "string" ? line : JSON.stringify(line)}\n`);
    if (socket.getBufferedAmount() > LARGEST_BUFFER) socket.terminate();
  }

  onOpen(socket: Socket): void {
    this.#socket = socket;
    if (this.#speaker.kind !== "person") this.#leave = this.#speaker.arrived(this);
    if (this.#sentAway) return;
    if (this.#speaker.kind !== "unknown") this.#left = this.entered();
    else
      this.#timer = setTimeout(
        () => this.end("No credential within five seconds."),
        AUTH_WITHIN_MS,
      );
  }

  /** Sends it away; nothing of what it has said and was not done yet is done. */
  end(why: string, code = CLOSED_UNAUTHORIZED): void {
    this.#sentAway = true;
    if (this.#socket) closeSocket(this.#socket, code, why);
    this.#exit(); // its place is free when its socket is gone
  }

  /** Without a goodbye. */
  cut(): void {
    this.#sentAway = true;
    this.#socket?.terminate();
  }

  onMessage(text: string): void {
    if (this.#sentAway) return;
    if (this.#speaker.kind === "unknown" && text.length > LARGEST_AUTH) {
      return this.end("So much before a credential is refused.", 1009);
    }
    const lines = this.#frames.push(text);
    if (!lines) return this.end("A line is longer than 64 MiB.", 1009);
    for (const line of lines) {
      const body = parseObject(line);
      if (typeof body === "string") return this.end(`This is no message: ${body}.`, 4400);
      if (this.#speaker.kind === "unknown") {
        if (this.#authenticate(body)) continue;
        return this.end("The first frame must carry a ticket or a device's token.");
      }
      this.#work = this.#work.then(() => this.#take(body));
    }
  }

  async #take(body: JsonObject): Promise<void> {
    if (this.#sentAway) return;
    try {
      await this.take(body);
    } catch (failure) {
      this.refused(body, failure instanceof Refusal ? failure.message : "The hub failed at this.");
    }
  }

  /** As the official SDK sends it: `{"type":"auth","credential":{"type":"oauth","token":"…"}}`. */
  #authenticate({ credential }: JsonObject): boolean {
    const token = isObject(credential) ? credential["token"] : undefined;
    const person = typeof token === "string" ? this.#personOf(token) : undefined;
    if (!person) {
      this.#access.wrongGuess({ peer: "relay", code: "wrong-credential" });
      return false;
    }
    clearTimeout(this.#timer);
    this.#leave?.();
    this.#leave = undefined;
    this.#speaker = { kind: "person", person };
    this.#left = this.entered();
    return true;
  }

  #personOf(token: string): Person | undefined {
    const ticket = this.#access.redeemTicket(token);
    if (ticket) return ticket;
    const found = this.#access.authenticate(token);
    return typeof found === "object" && found.kind === "person" ? found : undefined;
  }

  /** A device that was taken away hears nothing more. */
  checkCredential(): void {
    const speaker = this.#speaker;
    if (speaker.kind !== "person" || this.#access.stillHolds(speaker.person)) return;
    this.end("This device was taken away.");
  }

  onHeartbeat(): void {
    this.checkCredential();
  }

  onClose(): void {
    this.#leave?.();
    this.#leave = undefined;
    this.#exit();
  }

  #exit(): void {
    clearTimeout(this.#timer);
    const left = this.#left;
    this.#left = undefined;
    left?.();
  }
}
