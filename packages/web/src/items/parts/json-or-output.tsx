import { type Body } from "../../text/body.ts";
import { formatJsonLine } from "../../text/format-json.ts";
import { CodeView } from "./code-view.tsx";
import { Output } from "./output.tsx";

/** JSON is indented; anything else is printed as it is. */
export function JsonOrOutput({ body, id }: { body: Body; id: string }) {
  if (typeof body === "string" && /^\s*[[{]/.test(body)) {
    return <CodeView body={formatJsonLine(body)} id={id} language="json" />;
  }
  return <Output body={body} id={id} label="what it said" />;
}
