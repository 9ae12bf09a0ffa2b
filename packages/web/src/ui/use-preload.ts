import { useEffect, useEffectEvent } from "react";

const DELAY_MS = 1000;

/**
 * Loads parts of the page that are not shown yet: once what is shown has come, and while the page is idle.
 * On a slow device they would otherwise compete with it.
 */
export function usePreload(isReady: boolean, fetchAll: () => void): void {
  const fetchParts = useEffectEvent(fetchAll);
  useEffect(() => {
    if (!isReady) return undefined;
    let idle: number | undefined;
    const timer = setTimeout(() => {
      // Safari has no such callback.
      if (typeof requestIdleCallback === "undefined") fetchParts();
      else idle = requestIdleCallback(() => fetchParts());
    }, DELAY_MS);
    return () => {
      clearTimeout(timer);
      if (idle !== undefined) cancelIdleCallback(idle);
    };
  }, [isReady]);
}
