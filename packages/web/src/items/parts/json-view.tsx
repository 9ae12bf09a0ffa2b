import { useMemo } from "react";
import { formatJson } from "../../text/format-json.ts";
import { CodeView } from "./code-view.tsx";

/** Any value as indented JSON. */
export function JsonView({ value, id }: { value: unknown; id: string }) {
  const text = useMemo(() => formatJson(value), [value]);
  return <CodeView body={text} id={id} language="json" />;
}
