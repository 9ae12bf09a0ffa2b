import { useEffect, useState } from "react";

/**
 * What `load` returns; `initial` until then and if it fails. It loads again when `load` is another function;
 * without one there is nothing to load.
 */
export function useLoaded<T>(load: (() => Promise<T>) | undefined, initial: T): T {
  const [loaded, setLoaded] = useState<{ readonly by: () => Promise<T>; readonly value: T }>();
  useEffect(() => {
    if (!load) return undefined;
    let cancelled = false;
    const run = async () => {
      const value = await load();
      if (!cancelled) setLoaded({ by: load, value });
    };
    void run().catch(() => undefined); // The default remains; starting the session reports the error.
    return () => {
      cancelled = true;
    };
  }, [load]);
  return loaded && loaded.by === load ? loaded.value : initial;
}
