import { readAuthorization } from "@signalbox/api";
import {
  type AccessControl,
  type Actor,
  readBearerToken,
  type Person,
  Refusal,
} from "@signalbox/hub/extension";
import type { ClientVisit, Speaker } from "../clients/client-socket-handler.ts";

/**
 * Bun has one limit for the frames of all sockets, and an agent's may have 65 MiB: so much may be kept of
 * what each of these sends first. They are on this machine, and have five seconds.
 */
const MOST_WAITING = 8;
/** Where the relay is open: who has shown nothing, and need not. Each may keep a frame and a line. */
const MOST_OPEN = 64;
/** Whoever is on this machine, where the relay is open. */
const anybody: Actor = { device: "relay-open", name: "an open front end", role: "approver" };

/** What the door has found out about whoever asks. */
export interface Caller {
  readonly headers: Headers;
  /** Path and query of the request, which a signature names. */
  readonly target: string;
  /** It comes from this machine, and no proxy stands between. */
  readonly isLocal: boolean;
  /** Counts a wrong credential, and gives the refusal back. */
  readonly wrong: (refusal: Refusal) => Refusal;
}

/** Who may leave their credential for the first frame, or need none; of both there are only so many. */
export class Reception {
  readonly #access: AccessControl;
  readonly #waiting = new Set<ClientVisit>();
  #open = 0;

  constructor(access: AccessControl) {
    this.#access = access;
  }

  /**
   * A device's signature, a program's token as bearer, or a ticket in the path, where no header can be set.
   * `without`: what is done for somebody on this machine who shows none.
   */
  speaker(
    { headers, target, isLocal, wrong }: Caller,
    ticket: string | undefined,
    without: "open" | "later" | "refused",
  ): Speaker {
    if (headers.has("authorization") || ticket !== undefined) {
      const person = this.#personOf(headers, target, ticket);
      if (person) return { kind: "person", person };
      const detail =
        "This signature or token is of no device, or this ticket is wrong, used or too old.";
      throw wrong(new Refusal(401, "wrong-credential", detail));
    }
    if (without === "refused" || !isLocal) throw nothingShown();
    return without === "open"
      ? {
          kind: "open",
          actor: anybody,
          arrived: (visit) => this.openPlace(() => visit.end(FULL, 1013)),
        }
      : { kind: "unknown", arrived: (visit) => this.#arrived(visit) };
  }

  #personOf(headers: Headers, target: string, ticket: string | undefined): Person | undefined {
    const header = headers.get("authorization");
    if (header === null) return this.#access.redeemTicket(ticket ?? "");
    const proof = readAuthorization(header);
    const found = proof
      ? this.#access.verify(proof, "GET", target)
      : this.#access.authenticate(readBearerToken(headers) ?? "");
    return typeof found === "object" && found.kind === "person" ? found : undefined;
  }

  /** Who waits longest makes room, at once: what was kept of its frame is given back. */
  #arrived(visit: ClientVisit): () => void {
    this.#waiting.add(visit);
    const [oldest] = this.#waiting;
    if (oldest && this.#waiting.size > MOST_WAITING) {
      this.#waiting.delete(oldest);
      oldest.cut();
    }
    return () => this.#waiting.delete(visit);
  }

  /** A place for one without a credential; gives back what is to be done when it leaves. */
  openPlace(refuse: () => void): () => void {
    if (this.#open >= MOST_OPEN) {
      refuse();
      return () => {};
    }
    this.#open += 1;
    return () => void (this.#open -= 1);
  }
}

/** Why there is no place. */
export const FULL = `${MOST_OPEN} are connected without a credential, and more are not let in.`;

function nothingShown(): Refusal {
  const detail =
    "This needs a device's signature, a program's token as bearer, or, where no header can be set, a ticket of POST /api/tickets as the last part of the path.";
  return new Refusal(401, "no-credential", detail);
}
