import type { Body } from "../../text/body.ts";
import { Output } from "./output.tsx";
import { strings } from "../../strings/strings.ts";

/** The error message of a tool. */
export function ErrorOutput({ body, id }: { body: Body | undefined; id: string }) {
  if (body === undefined || body === "") return null;
  return (
    <div className="trouble">
      <Output body={body} id={`${id}/error`} head={6} tail={2} label={strings.tools.error} />
    </div>
  );
}
