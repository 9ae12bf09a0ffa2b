import { strings } from "../../strings/strings.ts";
import { toShortRawText, toShortText, type DisplayItemOfKind } from "../../text/body.ts";
import { inert } from "../../text/visible.ts";
import { AskInput } from "./ask-input.tsx";
import { isRefusal, summarizeGrants } from "./ask-outcome.ts";
import { Section } from "../parts/card.tsx";
import { useItemServices } from "../parts/items-context.tsx";
import { JsonView } from "../parts/json-view.tsx";
import { PlainProse } from "../parts/prose.tsx";
import { StatusLine } from "../parts/status-line.tsx";

const text = strings.tools;

type Ask = DisplayItemOfKind<"ask">;

const useNothing = () => undefined;

/** The outcome of the request about a call, at the end of its row: "Allowed by you". */
export function AskTag({ item }: { item: { readonly id: string } }) {
  const { useCallAsk = useNothing, deviceName } = useItemServices();
  const ask = useCallAsk(item.id);
  if (!ask) return null;
  const { label, tone } = describeAsk(ask, deviceName);
  return (
    <span className="ask-tag truncate" data-tone={tone} data-role="ask-tag">
      {label}
    </span>
  );
}

/** What was granted, changed or written along with the answer. */
export function AskDetails({ item }: { item: { readonly id: string } }) {
  const { useCallAsk = useNothing } = useItemServices();
  const ask = useCallAsk(item.id);
  if (!ask || ask.status === "open") return null;
  const granted = ask.granted ?? [];
  const { rules } = summarizeGrants(granted);
  const message = toShortRawText(ask.message, 400);
  if (ask.inputBefore === undefined && rules === 0 && message === "") return null;
  return (
    <div className="px-3 pb-2">
      {message !== "" && (
        <div className="text-control text-dim" data-role="ask-message">
          <PlainProse body={message} />
        </div>
      )}
      {(ask.inputBefore !== undefined || rules > 0) && (
        <StatusLine
          id={`${ask.id}/details`}
          more={
            <>
              {ask.inputBefore !== undefined && <AskInput item={ask} />}
              {granted.length > 0 && (
                <Section label={text.rules(rules)}>
                  <JsonView value={granted} id={`${ask.id}/granted`} />
                </Section>
              )}
            </>
          }
        >
          <span>
            {ask.inputBefore !== undefined && text.editedAndAllowed}
            {ask.inputBefore !== undefined && rules > 0 && " · "}
            {rules > 0 && text.rules(rules)}
          </span>
        </StatusLine>
      )}
    </div>
  );
}

function describeAsk(
  ask: Ask,
  deviceName: string | undefined,
): { readonly label: string; readonly tone: "quiet" | "failed" | "waiting" } {
  if (ask.status === "open") return { label: text.needsYou, tone: "waiting" };
  if (ask.status === "expired") return { label: text.expired, tone: "waiting" };
  if (ask.status === "cancelled") return { label: text.cancelled, tone: "waiting" };
  const isRefused = isRefusal(ask);
  const kind = toShortRawText(ask.ask, 40);
  if (kind === "plan") {
    const isEdited = ask.inputBefore !== undefined;
    return isRefused
      ? { label: text.changesRequested, tone: "waiting" }
      : { label: isEdited ? text.approvedWithChanges : text.approved, tone: "quiet" };
  }
  if (kind !== "permission") {
    return { label: isRefused ? text.skipped : text.answered, tone: "quiet" };
  }
  const by = ask.by === undefined ? undefined : inert(toShortText(ask.by, 60));
  const isOwn = by !== undefined && by === deviceName;
  if (isRefused) {
    const label = isOwn ? text.deniedByYou : by === undefined ? text.denied : text.deniedBy(by);
    return { label, tone: "failed" };
  }
  const label = isOwn ? text.allowedByYou : by === undefined ? text.allowed : text.allowedBy(by);
  return { label, tone: "quiet" };
}
