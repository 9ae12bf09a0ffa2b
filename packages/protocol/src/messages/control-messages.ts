import * as z from "zod";
import { open, text } from "./fields.ts";

/**
 * The three envelopes of the control plane. The requests inside them are declared in
 * `control/requests.ts`.
 */
export const control = {
  /**
   * Some front ends send requests without an id. Nobody can answer those, so the id is optional.
   */
  control_request: open({ request_id: text.optional(), request: open({ subtype: text }) }),
  /**
   * Claude Code puts `request_id` inside `response` and understands no other shape. Front ends of
   * other programs answer `{request_id, permission}` or `{request_id, response: {result}}`.
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
