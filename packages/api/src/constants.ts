/**
 * The values of the contract that programs need at run time. This module has no imports, so a page
 * that uses it loads no schemas.
 */

/**
 * The header that carries the id of a command, which the client makes: the same id twice runs once.
 */
export const COMMAND_HEADER = "signalbox-command";

/** The path of the hub's live WebSocket. */
export const STREAM_PATH = "/api/stream";
export const STREAM_VERSION = 1;
/** The subprotocol of the stream. */
export const STREAM_PROTOCOL = "signalbox.stream.v1";
/**
 * Offered beside the subprotocol: this prefix followed by a ticket. Without a ticket the stream
 * does not open.
 */
export const TICKET_PROTOCOL = "ticket.";
/**
 * A subscriber is behind when more than this many UTF-16 units were sent to it and not
 * acknowledged.
 */
export const UNACKNOWLEDGED_LIMIT = 1024 * 1024;

/** The path of the WebSocket that a runner dials. */
export const LINK_PATH = "/api/runner";
export const LINK_VERSION = 2;
/** The subprotocol of the link. */
export const LINK_PROTOCOL = "signalbox.link.v1";

/** The codes with which the hub closes a WebSocket. */
export const CLOSED_UNAUTHORIZED = 4401;
export const CLOSED_MALFORMED = 4400;
export const CLOSED_GOING_AWAY = 1001;
export const CLOSED_TOO_BIG = 1009;
/**
 * The hub could not read the hello in time, or too many frames wait to be read. The client should
 * connect again.
 */
export const CLOSED_COME_AGAIN = 1013;

/** Texts in items that are longer than this, in UTF-16 units, are stored as blobs. */
export const BODY_LIMIT = 32 * 1024;

/** The longest context of a prompt: its `data` as JSON, in UTF-16 units. */
export const CONTEXT_LIMIT = 32 * 1024;

/** How much of the machine an agent can see. */
export const isolationProfiles = ["default", "no-network", "write-here-only", "off"] as const;
export type IsolationProfile = (typeof isolationProfiles)[number];

/** How much a model may think, from little to much. */
export const efforts = ["low", "medium", "high", "xhigh", "max"] as const;
export type Effort = (typeof efforts)[number];

/** The file in the data folder by which programs of the same user find the hub. */
export const HUB_DESCRIPTOR = "hub.json";
/** The file in the data folder that holds the command line's private key. */
export const COMMAND_LINE_KEY = "command-line.key";
