import type { ContentPart } from "@signalbox/timeline";
import { useEffect, useRef } from "react";
import { strings } from "../../strings/strings.ts";
import { getLength, isBody, type MaybeCut, toShortText } from "../../text/body.ts";
import { formatBytes } from "../../text/format.ts";
import { countBase64Bytes } from "../../text/image-source.ts";
import { openPdf } from "../../text/open-pdf.ts";
import { inert } from "../../text/visible.ts";
import { DocumentChip } from "../../ui/document-chip.tsx";
import { useBody } from "./use-body.ts";

const MAX_NAME_LENGTH = 80;

/** A PDF of a prompt. It is loaded when it is opened. */
export function DocumentView({ part, number }: { part: MaybeCut<ContentPart>; number: number }) {
  const { data } = (part["source"] ?? {}) as { data?: unknown };
  const title = part["title"];
  const name = isBody(title)
    ? toShortText(title, MAX_NAME_LENGTH)
    : strings.composer.document(number);
  const { state, load } = useBody(isBody(data) ? data : "");
  const isWanted = useRef(false);
  const whole = state.kind === "cut" ? undefined : state.text;
  useEffect(() => {
    if (!isWanted.current || whole === undefined) return;
    isWanted.current = false;
    openPdf(whole);
  }, [whole]);
  const open = () => {
    if (whole !== undefined) return void openPdf(whole);
    isWanted.current = true;
    return load();
  };
  const bytes = isBody(data) ? countBase64Bytes(getLength(data)) : 0;
  return (
    <>
      <DocumentChip name={name} size={formatBytes(bytes)} onOpen={open} />
      {state.kind === "cut" && state.problem !== undefined && (
        <p className="text-small text-failed">{inert(state.problem)}</p>
      )}
    </>
  );
}
