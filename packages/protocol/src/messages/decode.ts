import * as z from "zod";
import type { Line, LineFlaws } from "../framing/line.ts";
import { type JsonObject, parseObject } from "../json.ts";
import { control } from "./control-messages.ts";
import { conversation } from "./conversation.ts";
import { isHot } from "./guards.ts";
import { parseTextDelta } from "./text-delta.ts";
import { system } from "./system.ts";

/** Every message we act on: its type and the fields we read. All other fields are kept. */
export const catalogue = { ...conversation, ...control };

type Type = keyof typeof catalogue;
type SystemSubtype = keyof typeof system;
type Bodies = { [K in Type]: { type: K } & z.infer<(typeof catalogue)[K]> };
type SystemBodies = {
  [K in SystemSubtype]: { type: "system"; subtype: K } & z.infer<(typeof system)[K]>;
};
export type SystemMessage<S extends SystemSubtype = SystemSubtype> = SystemBodies[S];
export type Message<T extends Type | "system" = Type | "system"> =
  | (T extends Type ? Bodies[T] : never)
  | (T extends "system" ? SystemMessage : never);

/** What a line is, always together with its original text. */
export type Decoded = { readonly raw: string; readonly flaws?: LineFlaws } & (
  | { readonly kind: "known"; readonly message: Message }
  /** A type (or `system/subtype`) that this build does not know. */
  | { readonly kind: "unknown"; readonly type: string; readonly body: JsonObject }
  /** A known type in an unknown shape. */
  | {
      readonly kind: "drifted";
      readonly type: string;
      readonly why: string;
      readonly body: JsonObject;
    }
  /** Not a message at all, for example a stray print. */
  | { readonly kind: "noise"; readonly why: string }
);

export function decode(line: Line): Decoded {
  if (typeof line === "string") return decodeText(line);
  return { ...decodeText(line.text), flaws: line.flaws };
}

function decodeText(raw: string): Decoded {
  const delta = parseTextDelta(raw);
  if (delta) return { kind: "known", message: delta as Message, raw };
  const body = parseObject(raw);
  if (typeof body === "string") return { kind: "noise", why: body, raw };
  const { type } = body;
  if (isHot(type, body)) return { kind: "known", message: body as Message, raw };
  if (typeof type !== "string") return { kind: "noise", why: "an object without a type", raw };
  const name = type === "system" ? `system/${String(body["subtype"])}` : type;
  const schema = findSchema(type, body["subtype"]);
  if (!schema) return { kind: "unknown", type: name, body, raw };
  const { error } = schema.safeParse(body);
  if (error) return { kind: "drifted", type: name, why: z.prettifyError(error), body, raw };
  // Return our own object: zod's copy has its fields in another order.
  return { kind: "known", message: body as Message, raw };
}

function findSchema(type: string, subtype: unknown): z.ZodType | undefined {
  if (type === "system") {
    if (typeof subtype !== "string" || !Object.hasOwn(system, subtype)) return undefined;
    return system[subtype as SystemSubtype];
  }
  return Object.hasOwn(catalogue, type) ? catalogue[type as Type] : undefined;
}
