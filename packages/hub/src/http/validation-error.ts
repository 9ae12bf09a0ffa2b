import { escapeForTerminal } from "@signalbox/protocol/text";
import * as z from "zod";
import { HubRefusal } from "../engine.ts";
import { describeIssue } from "./describe-issue.ts";

type Issue = z.core.$ZodIssue;
/** The parts of a JSON schema that are read here. */
interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: Shape | boolean;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
  readonly const?: unknown;
}

const MAX_NAMED = 20;

/**
 * A refusal that says for each wrong field what is allowed, such as "`policy` must be one of supervised,
 * default; got "lax"."; for an unknown field, it lists the known ones.
 */
export function validationError(
  what: "body" | "query",
  { schema, value, error }: { schema: z.ZodType; value: unknown; error: z.ZodError },
): HubRefusal {
  const shape = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Shape;
  const sentences = error.issues.flatMap(closest).map((issue) => {
    const { path } = issue;
    const place = path.map((key) => escapeForTerminal(String(key), "decision") || '""').join(".");
    if (issue.code !== "unrecognized_keys") {
      const name = place === "" ? `The ${what}` : `\`${place}\``;
      return `${name} ${describeIssue(issue, at(value, path))}.`;
    }
    const prefix = place === "" ? "" : `${place}.`;
    const names = issue.keys.map((key) => `\`${prefix}${escapeForTerminal(key, "decision")}\``);
    const known = knownFields(shape, path, value).join(", ");
    const are = names.length === 1 ? "is not a known field" : "are not known fields";
    return `${names.join(", ")} ${are}; allowed are ${known}.`;
  });
  const detail = sentences.slice(0, MAX_NAMED).join(" ");
  return new HubRefusal(400, "misshapen", `The ${what} is not valid. ${detail}`);
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  const step = (inner: unknown, key: PropertyKey) =>
    (inner as Record<PropertyKey, unknown> | null | undefined)?.[key];
  return path.reduce(step, value);
}

/** The issues of the shape that a value comes closest to, if several shapes are allowed. */
function closest(issue: Issue): Issue[] {
  if (issue.code !== "invalid_union" || issue.errors.length === 0) return [issue];
  const [least = []] = issue.errors.toSorted((a, b) => a.length - b.length);
  return least.flatMap((inner) => closest({ ...inner, path: [...issue.path, ...inner.path] }));
}

function knownFields(shape: Shape, path: readonly PropertyKey[], value: unknown): string[] {
  const shapes = alternatives(shape, value);
  const [key, ...rest] = path;
  if (key === undefined)
    return [...new Set(shapes.flatMap(({ properties = {} }) => Object.keys(properties)))];
  const inner = (value as Record<PropertyKey, unknown>)[key];
  return shapes.flatMap((each) => {
    const next = each.properties?.[String(key)] ?? each.items ?? each.additionalProperties;
    return typeof next === "object" ? knownFields(next, rest, inner) : [];
  });
}

/**
 * The shapes that a value may be intended to have, judged by fields such as `behavior` that tell shapes
 * apart.
 */
function alternatives(shape: Shape, value: unknown): Shape[] {
  const all = shape.anyOf ?? shape.oneOf;
  if (!all) return [shape];
  const given = (value ?? {}) as Record<string, unknown>;
  const fits = ({ properties = {} }: Shape) =>
    Object.entries(properties).every(
      ([name, wanted]) =>
        wanted.const === undefined || given[name] === undefined || given[name] === wanted.const,
    );
  return all.filter(fits).flatMap((each) => alternatives(each, value));
}
