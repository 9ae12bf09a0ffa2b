import type { Body } from "../../text/body.ts";
import { PlainText } from "../../text/plain-text.tsx";
import { ShowWhole } from "./show-more.tsx";
import { useBody } from "./use-body.ts";

/**
 * What a choice would look like. The agent writes markdown or drawings of letters for a box with letters of one
 * width (2.1.325): it stands there as it was written, the same before and after it was chosen.
 */
export function Preview({ text }: { text: string }) {
  return (
    <div className="preview" data-role="preview">
      <PlainText text={text} />
    </div>
  );
}

/** The same, of a text that may have been cut. */
export function BodyPreview({ body }: { body: Body }) {
  const { state, load } = useBody(body);
  if (state.kind === "whole") return <Preview text={state.text} />;
  return (
    <>
      <Preview text={state.cut.head} />
      <ShowWhole state={state} load={load} />
      <Preview text={state.cut.tail} />
    </>
  );
}
