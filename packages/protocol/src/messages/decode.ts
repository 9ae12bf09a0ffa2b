import * as z from "zod";
import type { Line, LineFlaws } from "../framing/line.ts";
import { type JsonObject, parseObject } from "../json.ts";
import { control } from "./control-messages.ts";
import { conversation } from "./conversation.ts";
import { isHot } from "./guards.ts";
import { parseTextDelta } from "./text-delta.ts";
import { system } from "./system.ts";

/** Every message we act on: its type and the fields we read. The rest rides along. */
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

/** What a line is, always with the text as it came. */
export type Decoded = { readonly raw: string; readonly flaws?: LineFlaws } & (
  | { readonly kind: "known"; readonly message: Message }
  /** Newer than this build: a type (or `system/subtype`) nobody has told us about. */
  | { readonly kind: "unknown"; readonly type: string; readonly body: JsonObject }
  /** A type we know in a shape we do not. */
  | {
      readonly kind: "drifted";
      readonly type: string;
      readonly why: string;
      readonly body: JsonObject;
    }
  /** No message at all, such as a stray print. */
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
  return { kind: "known", message: body as Message, raw }; // our object, not zod's reordered copy
}

function findSchema(type: string, subtype: unknown): z.ZodType | undefined {
  if (type === "system") {
    if (typeof subtype !== "string" || !Object.hasOwn(system, subtype)) return undefined;
    return system[subtype as SystemSubtype];
  }
  return Object.hasOwn(catalogue, type) ? catalogue[type as Type] : undefined;
}
