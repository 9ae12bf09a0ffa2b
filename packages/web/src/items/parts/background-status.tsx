import type { BackgroundWork } from "@signalbox/timeline";
import { strings } from "../../strings/strings.ts";
import { toShortText, type MaybeCut } from "../../text/body.ts";

/** The status of work in the background. */
export function BackgroundStatus({ work }: { work: MaybeCut<BackgroundWork> | undefined }) {
  return (
    <span>
      {strings.tools.inBackground}
      {work !== undefined && ` · ${toShortText(work.status, 40)}`}
    </span>
  );
}
