import { Suspense } from "react";
import { useSignal } from "../store/signal.ts";
import type { SessionHandle } from "../store/use-session-handle.ts";
import { preloaded } from "../ui/preloaded.tsx";
import { findOpen } from "./find-request.ts";

const bar = preloaded(() => import("./find-bar.tsx"));
const FindBar = bar.View;

/** Loads the find bar, so that it takes what is typed right after its key. */
export const fetchFindBar = bar.fetch;

/** The find bar of a session while it is open. */
export function LazyFindBar(props: { session: string; handle: SessionHandle }) {
  if (useSignal(findOpen) !== props.session) return null;
  return (
    <Suspense fallback={null}>
      <FindBar {...props} />
    </Suspense>
  );
}
