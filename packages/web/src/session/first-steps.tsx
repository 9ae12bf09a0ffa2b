import type { Session } from "@signalbox/client";
import { keyLabel } from "../keys/key-labels.ts";
import { useMayDrive, useSessions } from "../store/use-hub.ts";
import { strings } from "../strings/strings.ts";

const text = strings.session;

/** In somebody's first session, what comes next: one sentence above the composer, gone with the second turn. */
export function FirstSteps({ session }: { session: Session }) {
  const isOnly = useSessions().length === 1;
  const mayDrive = useMayDrive();
  const { turns } = session.summary;
  if (!isOnly || !mayDrive || turns > 1 || session.openAsks > 0) return null;
  return (
    <p className="composer-hint" data-role="first-steps">
      {turns === 0 ? text.whileFirstTurn : text.afterFirstTurn(keyLabel("new-session"))}
    </p>
  );
}
