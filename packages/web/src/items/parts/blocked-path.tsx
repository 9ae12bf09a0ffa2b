import { toShortRawText, type Body } from "../../text/body.ts";
import { spelled } from "../../text/visible.ts";
import { strings } from "../../strings/strings.ts";

/** The path that the agent's own rules block. */
export function BlockedPath({ path }: { path: Body }) {
  return (
    <p className="text-small text-dim" data-role="blocked-path">
      {strings.asks.blockedPath}{" "}
      <code className="font-mono break-all">{spelled(toShortRawText(path, 4096))}</code>
    </p>
  );
}
