import type { DisplayItemOfKind } from "../../text/body.ts";
import { Prose } from "../parts/prose.tsx";

/** A text of the agent. */
export function TextView({ item }: { item: DisplayItemOfKind<"text"> }) {
  return (
    <div className="max-w-reading" aria-busy={item.live}>
      <Prose body={item.text} live={item.live} />
    </div>
  );
}
