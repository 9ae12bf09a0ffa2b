import { type Body } from "../../text/body.ts";
import { formatJsonLine } from "../../text/format-json.ts";
import { CodeView } from "./code-view.tsx";
import { Output } from "./output.tsx";
import { strings } from "../../strings/strings.ts";

/** Output that is indented if it is JSON. */
export function JsonOrOutput({ body, id }: { body: Body; id: string }) {
  if (typeof body === "string" && /^\s*[[{]/.test(body)) {
    return <CodeView body={formatJsonLine(body)} id={id} language="json" />;
  }
  return <Output body={body} id={id} label={strings.tools.result} />;
}
