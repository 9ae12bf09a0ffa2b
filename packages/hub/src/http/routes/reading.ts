import { lineView, outputTail } from "@signalbox/api";
import * as z from "zod";
import { blobResponse } from "../blob-response.ts";
import { read } from "../route.ts";

const one = "/api/sessions/:session";
const item = z.looseObject({ id: z.string(), order: z.number(), rev: z.number() });
const whole = z.coerce.number<string>().int().min(0);
const limit = z.coerce.number<string>().int().min(1).max(1000).default(100);

export const readingRoutes = [
  read({
    path: `${one}/items`,
    role: "viewer",
    summary: "A page of the conversation: the newest, or those before an order; ascending",
    query: z.object({ before: whole.optional(), limit }),
    response: z.object({ items: z.array(item), older: z.boolean() }),
    handler: async ({ engine }, { params, query }) => {
      // One more than asked for tells whether there are more.
      const items = await engine.items(params.session, query.before, query.limit + 1);
      return { items: items.slice(-query.limit), older: items.length > query.limit };
    },
  }),
  read({
    path: `${one}/items/:item`,
    role: "viewer",
    summary: "One item as it stands now",
    response: item,
    handler: ({ engine }, { params }) => engine.item(params.session, params.item),
  }),
  read({
    path: `${one}/items/:item/output`,
    role: "viewer",
    summary: "The end of what a command in the background has printed so far",
    response: outputTail,
    handler: ({ engine }, { params }) => engine.taskOutput(params.session, params.item),
  }),
  read({
    path: `${one}/changes`,
    role: "viewer",
    summary: "The newest calls that changed a file; ascending",
    query: z.object({ path: z.string().min(1).max(4096), limit }),
    response: z.object({ items: z.array(item), older: z.boolean() }),
    handler: async ({ engine }, { params, query }) => {
      const items = await engine.changes(params.session, query.path, query.limit + 1);
      return { items: items.slice(-query.limit), older: items.length > query.limit };
    },
  }),
  read({
    path: `${one}/lines`,
    role: "viewer",
    summary: "The log itself, after a place, before one, or between two; ascending",
    query: z.object({ after: whole.exactOptional(), before: whole.exactOptional(), limit }),
    response: z.object({ lines: z.array(lineView), more: z.boolean() }),
    handler: async ({ engine }, { params, query }) => {
      const lines = await engine.lines(params.session, { ...query, limit: query.limit + 1 });
      const more = lines.length > query.limit;
      const forwards = query.after !== undefined;
      return { lines: forwards ? lines.slice(0, query.limit) : lines.slice(-query.limit), more };
    },
  }),
  read({
    path: `${one}/files`,
    role: "driver",
    summary: "Files under the session's folder whose path holds these letters",
    query: z.object({ query: z.string().max(500).default("") }),
    response: z.array(z.string()),
    handler: ({ engine }, { params, query }) => engine.findFiles(params.session, query.query),
  }),
  read({
    path: "/api/folders",
    role: "driver",
    summary:
      "The folders in a folder of a runner's machine; a driver sees those below the allowed folders",
    query: z.object({ runner: z.uuid().optional(), path: z.string().max(4096).optional() }),
    response: z.object({
      path: z.string(),
      parent: z.string().nullable(),
      folders: z.array(z.object({ name: z.string(), repository: z.boolean() })),
    }),
    handler: ({ engine }, { query, who }) => engine.listFolder(query.runner, query.path, who.actor),
  }),
  read({
    path: "/api/blobs/:hash",
    role: "viewer",
    summary: "A large body, whole or a range of its bytes",
    response: "bytes",
    handler: ({ store }, { params, headers }) =>
      blobResponse(store, params.hash, headers.get("range")),
  }),
];
