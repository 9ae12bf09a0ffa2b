import type { BackgroundWork } from "@signalbox/timeline";
import { brief, type Shown } from "../../text/body.ts";

/** That something was set going, and how it stands. */
export function Background({ work }: { work: Shown<BackgroundWork> | undefined }) {
  return <span>in the background{work !== undefined && ` · ${brief(work.status, 40)}`}</span>;
}
