/** Counted things, in the singular and in the plural. */
export const units = {
  character: { one: "character", many: "characters" },
  commit: { one: "commit", many: "commits" },
  file: { one: "file", many: "files" },
  line: { one: "line", many: "lines" },
  match: { one: "match", many: "matches" },
  request: { one: "request", many: "requests" },
  result: { one: "result", many: "results" },
} as const;

/** Times and sizes. */
export const formats = {
  justNow: "just now",
  soon: "in a moment",
  ago: (time: string) => `${time} ago`,
  within: (time: string) => `in ${time}`,
  since: (time: string) => `Since ${time}`,
  tooDeep: "This value is nested too deeply to be shown.",
} as const;
