import * as z from "zod";

/** An object of which we declare only some fields. Its other fields are kept. */
export const open = z.looseObject;
export const text = z.string();
export const count = z.number();
export const flag = z.boolean();
/** The tool call under which a subagent speaks; null or missing for the main thread. */
export const lane = z.string().nullish();
/** A content block. Only its type is certain: blocks of new types are kept unchanged. */
export const block = open({ type: text });

export const usage = open({
  input_tokens: count.nullish(),
  output_tokens: count.nullish(),
  cache_creation_input_tokens: count.nullish(),
  cache_read_input_tokens: count.nullish(),
});

/** The fields that every message may have. */
export const common = {
  uuid: text.optional(),
  session_id: text.optional(),
  timestamp: text.optional(),
};
