/** A hunk as in `tool_use_result.structuredPatch`: each line begins with " ", "-", "+" or "\". */
export type Hunk = {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  readonly lines: readonly string[];
};
