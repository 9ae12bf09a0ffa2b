import {
  allowedFoldersView,
  argument,
  agentSetting,
  agentView,
  auditEntry,
  deviceView,
  newAllowedFolders,
  runnerView,
  shownName,
  type AuditEntry,
} from "@signalbox/api";
import * as z from "zod";
import type { AuditRow } from "../../log/store.ts";
import { command, read } from "../route.ts";

const profiles = z.record(
  shownName(100),
  z.record(
    z
      .string()
      .regex(
        /^[A-Za-z_][A-Za-z0-9_]*$/,
        "has to be letters, digits and _, and to begin with no digit",
      ),
    argument,
  ),
);

export const hubRoutes = [
  read({
    path: "/api/hub",
    role: "viewer",
    summary: "The hub itself: who it is, whether it can store, and who you are to it",
    response: z.object({
      hub: z.string(),
      version: z.string(),
      epoch: z.string(),
      auditHead: z.string(),
      trouble: z.string().nullable(),
      databaseCheck: z.object({ at: z.number(), problems: z.array(z.string()) }).nullable(),
      /** What stands in the database and not in the audit chain: somebody else wrote it, and it counts for nothing. */
      notAudited: z.array(z.string()),
      device: deviceView,
    }),
    handler: async ({ access, engine, store, version }, { who }) => {
      const row = access.book.find(who.actor.device);
      const { health } = store;
      return {
        hub: access.identity.hub,
        version,
        epoch: store.epoch,
        auditHead: await store.auditHead(),
        trouble: health.writable ? null : health.detail,
        databaseCheck: store.lastCheck ?? null,
        notAudited: [
          ...access.book.unknown.map(({ name, role }) => `the device "${name}" (${role})`),
          ...engine.unknownAsks.map((id) => `the request ${id}`),
          ...access.book.audited.forged.map(
            ({ nth, what }) =>
              `entry ${nth} of the audit log (${what}), which this hub did not write`,
          ),
        ],
        device: row && { ...access.book.view(row, true), role: who.actor.role },
      };
    },
  }),
  read({
    path: "/api/integrity",
    role: "driver",
    summary: "Checks the whole database, which takes its time: what is wrong with it",
    response: z.object({ problems: z.array(z.string()) }),
    handler: async ({ store }) => ({ problems: await store.integrity() }),
  }),
  read({
    path: "/api/runners",
    role: "viewer",
    summary: "The machines that agents run on",
    response: z.array(runnerView),
    handler: ({ engine }) => engine.runners(),
  }),
  read({
    path: "/api/agents",
    role: "viewer",
    summary: "The agents of the settings, and what was found of them on a runner",
    query: z.object({ runner: z.uuid().optional() }),
    response: z.array(agentView),
    handler: ({ engine }, { query }) => engine.agents(query.runner),
  }),
  command({
    method: "PUT",
    path: "/api/agents",
    role: "admin",
    summary: "Sets the agents",
    body: z.array(agentSetting).max(100),
    status: 204,
    response: "nothing",
    handler: ({ engine }, { body, who }) => engine.setAgents(body, who.actor),
  }),
  read({
    path: "/api/environments",
    role: "admin",
    summary: "The environment profiles, with their values",
    response: profiles,
    handler: ({ engine }) => engine.environments(),
  }),
  read({
    path: "/api/environments/names",
    role: "viewer",
    summary: "The names of the environment profiles",
    response: z.array(z.string()),
    handler: async ({ engine }) => Object.keys(await engine.environments()),
  }),
  command({
    method: "PUT",
    path: "/api/environments",
    role: "admin",
    summary: "Sets the environment profiles",
    body: profiles,
    status: 204,
    response: "nothing",
    handler: ({ engine }, { body, who }) => engine.setEnvironments(body, who.actor),
  }),
  read({
    path: "/api/allowed-folders",
    role: "driver",
    summary: "The folders of each machine below which drivers may start sessions and look around",
    response: z.array(allowedFoldersView),
    handler: ({ engine }) => engine.allowedFolders(),
  }),
  command({
    method: "PUT",
    path: "/api/allowed-folders",
    role: "admin",
    summary: "Sets the allowed folders of a machine; null: its home folder again",
    body: newAllowedFolders,
    status: 204,
    response: "nothing",
    handler: ({ engine }, { body, who }) => engine.setAllowedFolders(body, who.actor),
  }),
  read({
    path: "/api/audit",
    role: "driver",
    summary: "Who did what, newest first; with verify=1 the chain is walked",
    query: z.object({
      before: z.coerce.number<string>().int().min(1).optional(),
      limit: z.coerce.number<string>().int().min(1).max(1000).default(100),
      verify: z.literal("1").optional(),
      /** Heads that a device has kept: one that is missing shows that the end was cut off. */
      heads: z
        .string()
        .regex(/^[0-9a-f]{64}(?:,[0-9a-f]{64}){0,99}$/)
        .optional(),
    }),
    response: z.object({
      entries: z.array(auditEntry),
      head: z.string(),
      verified: z
        .object({
          count: z.number(),
          broken: z.number().nullable(),
          /** So many at the beginning were written before the hub signed its entries. */
          unsigned: z.number(),
          /** What does not fit, in a sentence. */
          why: z.string().optional(),
        })
        .optional(),
    }),
    handler: async ({ access, store }, { query }) => {
      const entries = (await store.auditBefore(query.before, query.limit)).map(entryOf);
      const head = await store.auditHead();
      if (query.verify === undefined) return { entries, head };
      const {
        entries: count,
        unsigned,
        broken,
      } = await store.verifyAudit(query.heads?.split(","), access.auditSigning);
      const verdict = broken ? { broken: broken.nth, why: broken.why } : { broken: null };
      return { entries, head, verified: { count, unsigned, ...verdict } };
    },
  }),
];

function entryOf({ nth, at, what, by, session, facts, hash }: AuditRow): AuditEntry {
  const who = by === null ? {} : { by };
  return { nth, at, what, ...who, ...(session === null ? {} : { session }), facts, hash };
}
