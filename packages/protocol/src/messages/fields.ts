import * as z from "zod";

/** An object of which we read some fields; whatever else it holds rides along. */
export const open = z.looseObject;
export const text = z.string();
export const count = z.number();
export const flag = z.boolean();
/** The tool call a subagent speaks under; null or missing: the main thread. */
export const lane = z.string().nullish();
/** A content block: only its type is sure, blocks of new types come along untouched. */
export const block = open({ type: text });

export const usage = open({
  input_tokens: count.nullish(),
  output_tokens: count.nullish(),
  cache_creation_input_tokens: count.nullish(),
  cache_read_input_tokens: count.nullish(),
});

/** What every message may carry. */
export const common = {
  uuid: text.optional(),
  session_id: text.optional(),
  timestamp: text.optional(),
};
