import type { OpenKey, RouteKey, RouteParams, SentBody, SentQuery } from "@signalbox/api";

/** The input of a call: what the path, the query and the body of its route need. */
export type CallInput<Key extends RouteKey> = Part<"params", RouteParams<Key>> &
  Part<"query", SentQuery<Key>> &
  Part<"body", SentBody<Key>>;

/** A part is missing if the route has none, and optional if nothing in it is required. */
type Part<Name extends string, Value> = [Value] extends [undefined]
  ? { readonly [N in Name]?: undefined }
  : Partial<Value> extends Value
    ? { readonly [N in Name]?: Value }
    : undefined extends Value
      ? { readonly [N in Name]?: Value }
      : { readonly [N in Name]: Value };

/** The input of any call, as it is sent. */
export interface SentInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
}

/** The method and the path of a call. Each path parameter is encoded as one segment. */
export function locate(
  key: RouteKey,
  params: Readonly<Record<string, string>> = {},
): { method: string; path: string } {
  const [method = "", template = ""] = key.split(" ");
  const fill = (_: string, name: string) => encodeURIComponent(params[name] ?? "");
  return { method, path: template.replaceAll(/:(\w+)/g, fill) };
}

/** A request without a credential. */
export function openRequest<Key extends OpenKey>(key: Key, body: SentBody<Key>) {
  return { ...locate(key), body, open: true } as const;
}
