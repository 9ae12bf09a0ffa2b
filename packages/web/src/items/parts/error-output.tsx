import type { Body } from "../../text/body.ts";
import { Output } from "./output.tsx";

/** The error message of a tool. */
export function ErrorOutput({ body, id }: { body: Body | undefined; id: string }) {
  if (body === undefined || body === "") return null;
  return (
    <div className="trouble">
      <Output body={body} id={`${id}/error`} head={6} tail={2} label="what went wrong" />
    </div>
  );
}
