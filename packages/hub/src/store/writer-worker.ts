/** The writing thread. A list of cells is a group to write; each group is answered in turn. */
import { errorMessage } from "@signalbox/protocol/text";
import type { Cell } from "./cells.ts";
import type { Outcome } from "./group.ts";
import type { StoreHealth } from "./store.ts";
import { Writer } from "./writer.ts";

export type ToWriter =
  | Cell[]
  | { readonly open: string; readonly retryMs: number; readonly auditKey?: string | undefined }
  /** Sets the private key with which audit entries are signed from now on. */
  | { readonly signAudit: string }
  /** Confirms that the hub knows about the trouble and has dropped everything it sent before. */
  | { readonly seen: true }
  | { readonly close: true };

export type FromWriter =
  | { readonly opened: true }
  | { readonly refused: string }
  | { readonly health: StoreHealth }
  /** `all`: every commit of the group is on the disk. */
  | { readonly written: "all" | "none" | Outcome }
  | { readonly closed: true };

const tell = (message: FromWriter) => postMessage(message);
let writer: Writer | undefined;
let retrying: ReturnType<typeof setInterval> | undefined;
/** Until then a group may arrive that the hub has already rejected: it must not be written. */
let seen = true;

addEventListener("message", ({ data }: MessageEvent<ToWriter>) => {
  if (Array.isArray(data)) return write(data);
  if ("open" in data) return open(data.open, data.retryMs, data.auditKey);
  if ("signAudit" in data) return writer?.signAudit(data.signAudit);
  if ("seen" in data) return void (seen = true);
  clearInterval(retrying);
  writer?.close();
  tell({ closed: true });
});

function open(folder: string, retryMs: number, auditKey: string | undefined): void {
  writer = new Writer(folder, (health) => {
    seen = health.writable;
    tell({ health });
  });
  retrying = setInterval(() => {
    writer?.checkFiles(); // even if nobody writes
    writer?.tidy();
    if (seen) writer?.retry();
  }, retryMs);
  try {
    if (auditKey !== undefined) writer.signAudit(auditKey);
    writer.open();
    tell({ opened: true });
  } catch (error) {
    tell({ refused: errorMessage(error) });
  }
}

function write(cells: Cell[]): void {
  const outcome = writer?.write(cells);
  if (!outcome) return tell({ written: "none" });
  tell({ written: outcome.some((refusal) => refusal !== null) ? outcome : "all" });
  writer?.tidy();
}
