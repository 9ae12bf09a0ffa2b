import type { Body } from "../../text/body.ts";
import { PlainText } from "../../text/plain-text.tsx";
import { ShowWhole } from "./show-more.tsx";
import { useBody } from "./use-body.ts";

/**
 * The preview of an option. The agent writes Markdown or ASCII drawings for a monospaced box (2.1.325), so it
 * is shown as written.
 */
export function Preview({ text }: { text: string }) {
  return (
    <div className="preview" data-role="preview">
      <PlainText text={text} />
    </div>
  );
}

/** The preview of an option whose text may be truncated. */
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
