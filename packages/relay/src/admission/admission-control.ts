import { readAuthorization } from "@signalbox/api/proof";
import {
  type AccessControl,
  type Actor,
  readBearerToken,
  type Person,
  HubRefusal,
} from "@signalbox/hub/extension";
import type { ClientSocketHandler, ClientIdentity } from "../clients/client-socket-handler.ts";

/**
 * Bun has one limit for the frames of all sockets, and an agent's may have 65 MiB: so much may be kept of
 * what each of these sends first. They are on this machine, and have five seconds.
 */
const MAX_WAITING = 8;
/** Where the relay is open: who has shown nothing, and need not. Each may keep a frame and a line. */
const MAX_ANONYMOUS = 64;
/** A client without a credential on this machine, where the relay is open. */
const anonymousActor: Actor = { device: "relay-open", name: "an open front end", role: "approver" };

/** What the HTTP server knows about whoever asks for a WebSocket. */
export interface RelayCaller {
  readonly headers: Headers;
  /** Path and query of the request, which a signature names. */
  readonly target: string;
  /** The request comes from this machine, and no proxy stands between. */
  readonly isLocal: boolean;
  /** Counts a wrong credential, and gives the refusal back. */
  readonly wrong: (refusal: HubRefusal) => HubRefusal;
}

/** Admits clients that send their credential in the first frame, or need none, and limits how many of both there are. */
export class AdmissionControl {
  readonly #access: AccessControl;
  readonly #waiting = new Set<ClientSocketHandler>();
  #anonymousCount = 0;

  constructor(access: AccessControl) {
    this.#access = access;
  }

  /**
   * A device's signature, a program's token as bearer, or a ticket in the path, where no header can be set.
   * `without`: what is done for somebody on this machine who shows none.
   */
  identify(
    { headers, target, isLocal, wrong }: RelayCaller,
    ticket: string | undefined,
    without: "open" | "later" | "refused",
  ): ClientIdentity {
    if (headers.has("authorization") || ticket !== undefined) {
      const person = this.#findPerson(headers, target, ticket);
      if (person) return { kind: "person", person };
      const detail =
        "This signature or token belongs to no paired device, or the ticket is wrong, was already used, or has expired.";
      throw wrong(new HubRefusal(401, "wrong-credential", detail));
    }
    if (without === "refused" || !isLocal) throw noCredentialShown();
    return without === "open"
      ? {
          kind: "open",
          actor: anonymousActor,
          arrived: (visit) => this.reserveAnonymousPlace(() => visit.end(NO_PLACE_LEFT, 1013)),
        }
      : { kind: "unknown", arrived: (visit) => this.#onArrived(visit) };
  }

  #findPerson(headers: Headers, target: string, ticket: string | undefined): Person | undefined {
    const header = headers.get("authorization");
    if (header === null) return this.#access.redeemTicket(ticket ?? "");
    const proof = readAuthorization(header);
    const found = proof
      ? this.#access.verify(proof, "GET", target)
      : this.#access.authenticate(readBearerToken(headers) ?? "");
    return typeof found === "object" && found.kind === "person" ? found : undefined;
  }

  /** Closes the connection that has waited longest, which frees the memory of its frame at once. */
  #onArrived(visit: ClientSocketHandler): () => void {
    this.#waiting.add(visit);
    const [oldest] = this.#waiting;
    if (oldest && this.#waiting.size > MAX_WAITING) {
      this.#waiting.delete(oldest);
      oldest.terminate();
    }
    return () => this.#waiting.delete(visit);
  }

  /**
   * Takes a place for a connection without a credential. Returns the function to call when it
   * leaves.
   */
  reserveAnonymousPlace(refuse: () => void): () => void {
    if (this.#anonymousCount >= MAX_ANONYMOUS) {
      refuse();
      return () => {};
    }
    this.#anonymousCount += 1;
    return () => void (this.#anonymousCount -= 1);
  }
}

/** Why a client without a credential is refused. */
export const NO_PLACE_LEFT = `${MAX_ANONYMOUS} clients are connected without a credential, which is the maximum. Try again later.`;

function noCredentialShown(): HubRefusal {
  const detail =
    "This needs a device's signature, a program's bearer token, or, if no header can be set, a ticket from POST /api/tickets as the last part of the path.";
  return new HubRefusal(401, "no-credential", detail);
}
