import * as z from "zod";
import { open, text } from "./fields.ts";

/** The three envelopes of the control plane. What a request asks is in `control/requests.ts`. */
export const control = {
  /** Some front ends send requests without an id; nobody can answer those, so they get none. */
  control_request: open({ request_id: text.optional(), request: open({ subtype: text }) }),
  /**
   * Claude Code puts `request_id` inside `response` and understands nothing else. Other
   * programs' front ends answer `{request_id, permission}` or `{request_id, response: {result}}`.
   */
  control_response: open({
    request_id: text.optional(),
    response: open({
      subtype: text.optional(),
      request_id: text.optional(),
      error: text.optional(),
      error_code: text.optional(),
    }).optional(),
    permission: open({ allow: z.boolean().optional() }).optional(),
  }),
  control_cancel_request: open({ request_id: text }),
};
