import * as z from "zod";
import { isExactOrigin } from "./exact-origin.ts";
import { deviceName } from "./device-name.ts";
import { publicKey, signature } from "./identity.ts";
import { shownName } from "./shown-name.ts";
import { filePath, programArgument, uuidText } from "./values.ts";

/**
 * What a credential may do; each role includes the one before it: look; send, stop and start;
 * answer asks and name programs; manage devices and settings. A runner's credential opens the link
 * and nothing else.
 */
export const deviceRoles = ["viewer", "driver", "approver", "admin"] as const;
export const deviceRole = z.enum(deviceRoles);
const anyRole = z.enum([...deviceRoles, "runner"]);
export type DeviceRole = z.infer<typeof deviceRole>;

export function isRoleAtLeast(role: DeviceRole, needed: DeviceRole): boolean {
  return deviceRoles.indexOf(role) >= deviceRoles.indexOf(needed);
}

export const deviceView = z.object({
  id: uuidText,
  name: z.string(),
  role: anyRole,
  createdAt: z.number(),
  lastSeenAt: z.number().optional(),
  expiresAt: z.number(),
  you: z.boolean().describe("The device that asked."),
  pairedDevices: z
    .array(z.object({ id: uuidText, name: z.string() }))
    .optional()
    .describe("The devices that were paired from it, and so on: they go when it is revoked."),
  token: z.literal(true).optional().describe("A program's token instead of a key."),
});
export type DeviceView = z.infer<typeof deviceView>;

export const newPairing = z.strictObject({ role: anyRole });
export const pairing = z
  .object({ code: z.string(), url: z.string(), expiresAt: z.number() })
  .describe(
    "`code` stands for at most five minutes and works once; `url` carries it in its fragment.",
  );
export type Pairing = z.infer<typeof pairing>;

const pairingCode = z.string().min(1).max(100);
export const pairRequest = z
  .object({ code: pairingCode, name: deviceName, publicKey })
  .describe(
    "`publicKey` is that of a key pair which the device has just made; its private key never leaves it.",
  );
export const pairRoleRequest = z.object({ code: pairingCode });
export const pairRole = z
  .object({ role: anyRole })
  .describe("Whom a code would make, told to who has the code.");
export type PairRole = z.infer<typeof pairRole>;

export const hubIdentity = z
  .object({ id: uuidText, key: publicKey })
  .describe("Who the device is from now on, and the hub that it keeps to: `key` is pinned.");
export type HubIdentity = z.infer<typeof hubIdentity>;
export const pairedDevice = z.object({ device: deviceView, hub: hubIdentity });
export type PairedDevice = z.infer<typeof pairedDevice>;

export const deviceUpgrade = z
  .object({ publicKey })
  .describe(
    "A device of the time before keys shows its token once more, and has a key from then on.",
  );

export const newToken = z
  .strictObject({
    name: deviceName,
    role: z.enum(["viewer", "driver"]),
    days: z.int().min(1).max(365).default(30),
  })
  .describe(
    "A bearer token for a program that cannot sign, such as `curl` or a script: it may look or drive, never approve, and ends by itself. It is told this once.",
  );
export const createdToken = z.object({ token: z.string(), device: deviceView });
export type CreatedToken = z.infer<typeof createdToken>;

export const ticketRequest = z
  .object({
    delegation: z.object({ session: uuidText, expiresAt: z.number(), signature }).optional(),
  })
  .describe(
    "What a ticket is asked for. `delegation`: whoever opens the session with it may answer its asks, by the word of this approver's device (`delegationText`).",
  );
export const streamTicket = z
  .object({ ticket: z.string() })
  .describe("Opens one WebSocket, once, within thirty seconds.");

export const newElevation = z
  .object({
    name: deviceName,
    publicKey,
    role: z
      .enum(["approver", "admin"])
      .default("approver")
      .describe(
        "`admin`: to change settings that only admins change. An admin's device confirms it.",
      ),
  })
  .describe(
    "A terminal asks for the rights of an approver or an admin for as long as it runs; a device with that role confirms it once.",
  );
export const elevationDecision = z
  .strictObject({
    confirm: z.boolean(),
    signature: signature.optional(),
  })
  .describe("`signature`: of `elevationText`, by the device that confirms.");
export const elevationView = z.object({
  id: uuidText,
  name: z.string(),
  words: z.string().describe("Shown on both sides, so that the person sees it is this terminal."),
  role: z.enum(["approver", "admin"]).describe("What the terminal may do once it is confirmed."),
  at: z.number(),
  status: z.enum(["waiting", "confirmed", "refused", "expired"]),
  publicKey: z.string().describe("What is signed to confirm it."),
});
export type ElevationView = z.infer<typeof elevationView>;

export const requestedElevation = elevationView.extend({
  page: z.string().describe("The address of the page on which a device confirms the terminal."),
});
export type RequestedElevation = z.infer<typeof requestedElevation>;

export const auditEntry = z.object({
  nth: z.number(),
  at: z.number(),
  what: z.string(),
  by: z.string().optional(),
  session: z.string().optional(),
  facts: z.record(z.string(), z.unknown()),
  hash: z.string(),
});
export type AuditEntry = z.infer<typeof auditEntry>;

export const agentSetting = z
  .strictObject({
    name: shownName(100),
    path: z
      .string()
      .max(4096)
      .optional()
      .describe("The program; without it, it is searched in the usual places."),
    npm: z
      .string()
      .max(200)
      .optional()
      .describe("An npm package and its version, in place of a path."),
    driver: z.string().default("stdio"),
    model: programArgument
      .min(1)
      .optional()
      .describe("The model of sessions that name none; without it, the agent chooses."),
    models: z.array(programArgument.min(1)).default([]),
    flags: z.array(programArgument).default([]),
    environment: z.string().optional(),
  })
  .describe("An agent of the settings: a program and how to start it.");
export type AgentSetting = z.infer<typeof agentSetting>;

/** An agent that was found on a runner. */
export const agentView = agentSetting.extend({
  found: z.object({ path: z.string(), version: z.string(), versionClass: z.string() }).optional(),
  problem: z.string().optional(),
  unsupported: z
    .array(z.object({ option: z.string(), since: z.string() }))
    .optional()
    .describe("The options of a session that this version lacks, and the version that has them."),
});
export type AgentView = z.infer<typeof agentView>;

export const driverView = z
  .object({
    name: z.string().min(1).max(40),
    title: z.string().max(200).describe("What it is, in a few words."),
    capabilities: z
      .record(z.string(), z.boolean())
      .describe("What it can do at its best; `terminal`: the agent shows itself in a terminal."),
  })
  .describe("A driver of a machine: a way to run an agent.");
export type DriverView = z.infer<typeof driverView>;

export const runnerView = z.object({
  id: uuidText,
  machine: z.string(),
  own: z.boolean(),
  relay: z
    .boolean()
    .optional()
    .describe(
      "It is the one inside the hub, for agents that dial in: no machine on which sessions are started.",
    ),
  online: z.boolean(),
  since: z.number(),
  runs: z.number(),
  version: z
    .string()
    .optional()
    .describe("The version of Signalbox on it; runners of earlier versions do not report it."),
  drivers: z
    .array(driverView)
    .optional()
    .describe("Missing while the machine is away, and for runners of earlier versions."),
  load: z
    .object({
      average: z.number().describe("The load average of the last minute."),
      cores: z.int(),
    })
    .optional()
    .describe(
      "How busy the machine is, at most half a minute old. Not part of the board's frames.",
    ),
});
export type RunnerView = z.infer<typeof runnerView>;

export const allowedFoldersView = z
  .object({
    runner: uuidText,
    machine: z.string(),
    folders: z
      .array(z.string())
      .describe(
        "Those that an admin has set, or the home folder of the user that the runner runs as.",
      ),
    isDefault: z.boolean().describe("None were set."),
    fromSessions: z
      .array(z.string())
      .describe("Folders in which an approver has started a session: they are allowed, too."),
  })
  .describe("The folders of a machine below which drivers may start sessions.");
export type AllowedFoldersView = z.infer<typeof allowedFoldersView>;

export const newAllowedFolders = z
  .strictObject({
    runner: uuidText.optional(),
    folders: z.array(filePath).max(200).nullable(),
  })
  .describe(
    "`folders`: null for the home folder again. `runner`: the hub's own unless said otherwise.",
  );
export type NewAllowedFolders = z.infer<typeof newAllowedFolders>;

export const embeddingOrigins = z
  .strictObject({
    origins: z
      .array(
        z
          .string()
          .max(300)
          .refine(
            isExactOrigin,
            "must be an exact origin such as https://app.example.com or https://app.example.com:8443, without a path; http only for this machine, such as http://localhost:3000",
          ),
      )
      .max(50),
  })
  .describe(
    "The origins of other programs' pages that may use this hub, with a viewer's or a driver's device of their own.",
  );
export type EmbeddingOrigins = z.infer<typeof embeddingOrigins>;

export const relayState = z
  .object({
    on: z.boolean().describe("The setting, which counts when the hub is next started."),
    running: z.boolean().describe("Whether agents can dial in now."),
    startOption: z
      .boolean()
      .describe("The hub was started with `--relay`, which turns the relay on whatever is set."),
  })
  .describe("Whether agents can dial in.");
export type RelayState = z.infer<typeof relayState>;

export const neighborView = z
  .object({
    port: z.int(),
    kind: z.enum(["hub", "relay"]),
    hub: z.string().optional().describe("Of a hub: its id."),
    self: z.boolean().optional().describe("It is the hub that was asked."),
    agent: z
      .enum(["connected", "none"])
      .optional()
      .describe("Of a relay: whether an agent is connected to it."),
    attached: z
      .enum(["connecting", "connected", "away"])
      .optional()
      .describe("The hub is a front end of it, and how that goes."),
  })
  .describe(
    "Who else listens on the hub's machine: a hub like ours, or a relay of somebody else's.",
  );
export type NeighborView = z.infer<typeof neighborView>;
