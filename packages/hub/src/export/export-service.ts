import type { ExportFormat, ExportPreview } from "@signalbox/api";
import type { RouteQuery } from "@signalbox/api/routes";
import { parseObject } from "@signalbox/protocol";
import { toPlainName } from "@signalbox/protocol/text";
import type { Item } from "@signalbox/timeline";
import type { Session } from "../session/session.ts";
import type { Sessions } from "../session/sessions.ts";
import type { ItemRow, LineRow, Store } from "../store/store.ts";
import { toBlock } from "./export-blocks.ts";
import type { ExportHead } from "./export-head.ts";
import { formatHtml, formatHtmlHead, HTML_END } from "./html.ts";
import { formatMarkdown, formatMarkdownHead } from "./markdown.ts";
import { Redactor } from "./redactor.ts";

const PAGE = 500;
const PAGE_BYTES = 4 * 1024 * 1024;
/** Of a longer text the export has the beginning. */
const MAX_BODY = 400_000;
/** What names something, or is for programs: no key of a person's is in it. */
const hiddenFields = new Set([
  "id",
  "uuid",
  "kind",
  "type",
  "signature",
  "data",
  "session_id",
  "sessionId",
  "parentUuid",
  "tool_use_id",
  "parent_tool_use_id",
  "request_id",
  "requestId",
  "callId",
]);

type PreviewQuery = RouteQuery<"GET /api/sessions/:session/export/preview">;
type ExportQuery = RouteQuery<"GET /api/sessions/:session/export">;

interface ExportServiceOptions {
  readonly store: Store;
  readonly sessions: Sessions;
  /** Copies what is missing of a session that was imported. */
  readonly copyNow: (session: string) => Promise<void>;
  readonly getHome: (runner: string) => string | undefined;
}

/** Writes conversations as files to be read or replayed elsewhere, without what should not leave. */
export class ExportService {
  readonly #options: ExportServiceOptions;

  constructor(options: ExportServiceOptions) {
    this.#options = options;
  }

  /** What an export would leave out. */
  async preview(id: string, { format, words }: PreviewQuery): Promise<ExportPreview> {
    const session = await this.#open(id);
    const redactor = this.#createRedactor(session, words, "");
    let [items, lines] = [0, 0];
    redactor.redact(session.summary.title);
    if (format === "jsonl") for await (const _ of this.#readLines(session, redactor)) lines++;
    else for await (const _ of this.#readItems(session, redactor)) items++;
    return { findings: redactor.findings, items, lines };
  }

  async export(id: string, query: ExportQuery): Promise<Response> {
    const session = await this.#open(id);
    const { format, words, keep } = query;
    const texts = this.#write(session, format, this.#createRedactor(session, words, keep));
    const name = toFileName(session.summary.title);
    return new Response(toStream(texts), {
      headers: {
        // Not shown in the origin of the page, whatever it holds.
        "content-type": "application/octet-stream",
        "content-disposition": `attachment; filename="${name}.${extensions[format]}"`,
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
      },
    });
  }

  async #open(id: string): Promise<Session> {
    const session = this.#options.sessions.get(id);
    await session.loadIngest();
    await this.#options.copyNow(id);
    return session;
  }

  #createRedactor({ row }: Session, words: string, keep: string): Redactor {
    const home = this.#options.getHome(row.runner);
    return new Redactor({ words: words.split("\n"), home, excluded: keep.split(",") });
  }

  async *#write(
    session: Session,
    format: ExportFormat,
    redactor: Redactor,
  ): AsyncGenerator<string> {
    if (format === "jsonl") {
      const { title, folder } = createHead(session, redactor);
      yield `${JSON.stringify({ recording: "signalbox", version: 1, title, folder })}\n`;
      yield* this.#readLines(session, redactor);
      return;
    }
    const head = createHead(session, redactor);
    yield format === "html" ? formatHtmlHead(head) : formatMarkdownHead(head);
    const depths = new Map<string, number>();
    for await (const item of this.#readItems(session, redactor)) {
      const depth = item.parent === undefined ? 0 : (depths.get(item.parent) ?? 0) + 1;
      depths.set(item.id, depth);
      const block = toBlock(item, depth);
      if (block) yield format === "html" ? formatHtml(block) : formatMarkdown(block);
    }
    if (format === "html") yield HTML_END;
  }

  /** The items in their order, with whole texts. */
  async *#readItems(session: Session, redactor: Redactor): AsyncGenerator<Item> {
    const { store } = this.#options;
    const pages: ItemRow[][] = [];
    // The store reads backwards, and only the places of the pages are held.
    for (let before: number | undefined; ;) {
      const rows = await store.itemsBefore(session.id, before, PAGE);
      const [first] = rows;
      if (!first) break;
      pages.push([first]);
      before = first.order;
    }
    for (const [index, [first]] of pages.toReversed().entries()) {
      const next = pages.toReversed()[index + 1]?.[0];
      const rows = await store.itemsBefore(session.id, next?.order, PAGE);
      for (const row of rows) {
        if (first && row.order < first.order) continue;
        const item: unknown = JSON.parse(row.json);
        yield (await this.#mapTexts(item, redactor)) as Item;
      }
    }
  }

  /** The lines as `signalbox replay` reads them. */
  async *#readLines(session: Session, redactor: Redactor): AsyncGenerator<string> {
    const { store } = this.#options;
    for (let after = 0; ;) {
      const rows = await store.linesAfter(session.id, after, PAGE, PAGE_BYTES);
      const last = rows.at(-1);
      if (!last) return;
      for (const row of rows) {
        const line = await this.#redactLine(row, redactor);
        yield `${JSON.stringify({ from: row.from, at: row.at, raw: line })}\n`;
      }
      after = last.pos;
    }
  }

  async #redactLine(row: LineRow, redactor: Redactor): Promise<string> {
    const whole = row.characters === null ? row.text : await this.#readBody(row.textBlob, row.text);
    const body = parseObject(whole);
    if (typeof body === "string") return redactor.redact(whole);
    const redacted = JSON.stringify(await this.#mapTexts(body, redactor));
    return redacted === JSON.stringify(body) ? whole : redacted;
  }

  /** Replaces every text of a value, and puts the whole of long ones in their place. */
  async #mapTexts(value: unknown, redactor: Redactor): Promise<unknown> {
    if (typeof value === "string") return redactor.redact(value);
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) {
      const mapped: unknown[] = [];
      for (const each of value) mapped.push(await this.#mapTexts(each, redactor));
      return mapped;
    }
    if ("$blob" in value && typeof value.$blob === "string") {
      const { head = "" } = value as { head?: string };
      const text = await this.#readBody(value.$blob, head);
      const rest = text.length - MAX_BODY;
      const shown = rest > 0 ? `${text.slice(0, MAX_BODY)}\n… ${rest} more characters` : text;
      return redactor.redact(shown);
    }
    const mapped: Record<string, unknown> = {};
    for (const [name, each] of Object.entries(value)) {
      mapped[name] = hiddenFields.has(name) ? each : await this.#mapTexts(each, redactor);
    }
    return mapped;
  }

  async #readBody(hash: string | null, otherwise: string): Promise<string> {
    const bytes = hash === null ? undefined : await this.#options.store.blob(hash);
    return bytes ? new TextDecoder().decode(bytes) : otherwise;
  }
}

const extensions: Readonly<Record<ExportFormat, string>> = {
  markdown: "md",
  html: "html",
  jsonl: "jsonl",
};

function createHead({ summary }: Session, redactor: Redactor): ExportHead {
  return {
    title: redactor.redact(summary.title),
    folder: redactor.redact(summary.folder),
    at: new Date(summary.changedAt).toISOString().slice(0, 16).replace("T", " "),
  };
}

function toFileName(title: string): string {
  const name = toPlainName(title)
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-|-$/g, "")
    .replaceAll(/[^\x20-\x7e]/g, "")
    .slice(0, 60);
  return name === "" ? "session" : name;
}

/** A stream that is written as fast as it is read. */
function toStream(texts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await texts.next();
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await texts.return(undefined);
    },
  });
}
