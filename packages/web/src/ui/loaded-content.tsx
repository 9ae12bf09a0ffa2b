import type { ReactNode } from "react";
import { LoadingMessage } from "./progress.tsx";
import type { LoadState } from "./use-load.ts";
import { strings } from "../strings/strings.ts";

export function LoadedContent<T>(props: {
  readonly state: LoadState<T>;
  readonly children: (value: T) => ReactNode;
}) {
  const { state, children } = props;
  if (state.kind === "loading") return <LoadingMessage text={strings.parts.loading} small />;
  if (state.kind === "failed") {
    return (
      <p className="text-failed" role="alert">
        {state.why}
      </p>
    );
  }
  return children(state.value);
}
