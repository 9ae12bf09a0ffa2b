import type { OpenKey, RouteKey, RouteParams, SentBody, SentQuery } from "@signalbox/api";

/** What a call of a route is made with: what its path, query and body need, and nothing else. */
export type CallInput<Key extends RouteKey> = Part<"params", RouteParams<Key>> &
  Part<"query", SentQuery<Key>> &
  Part<"body", SentBody<Key>>;

/** A part is left out where the route has none, and may be where nothing in it is needed. */
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

/** The method and the path of a call. What is put into the path is one segment, whatever it holds. */
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
