export interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
}

/** A promise with its resolve and reject functions. (Node 20 has no `Promise.withResolvers`.) */
export function deferred<T>(): Deferred<T> {
  const box: { resolve?: (value: T) => void } = {};
  const promise = new Promise<T>((resolve) => (box.resolve = resolve));
  return { promise, resolve: (value) => box.resolve?.(value) };
}
