import type { ReactNode } from "react";
import { Waiting } from "./progress.tsx";
import type { Loaded } from "./use-loaded.ts";

export function Loading<T>(props: {
  readonly state: Loaded<T>;
  readonly children: (value: T) => ReactNode;
}) {
  const { state, children } = props;
  if (state.kind === "loading") return <Waiting words="Fetching…" small />;
  if (state.kind === "failed") {
    return (
      <p className="text-failed" role="alert">
        {state.why}
      </p>
    );
  }
  return children(state.value);
}
