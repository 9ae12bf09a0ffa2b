interface DiffOptions {
  readonly context: number;
  readonly whitespace: "show" | "ignore";
  /** Whether names begin at the folder instead of the top of the work tree. */
  readonly relative?: boolean;
}

/** What `git diff` is asked with for the change of one file, before what it is compared with. */
export function createDiffArguments({ context, whitespace, relative }: DiffOptions): string[] {
  return [
    "--literal-pathspecs",
    "diff",
    ...(relative === true ? ["--relative"] : ["--no-relative"]),
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--submodule=short",
    "--ignore-submodules=dirty",
    "--src-prefix=a/",
    "--dst-prefix=b/",
    "-M",
    `-U${context}`,
    ...(whitespace === "ignore" ? ["--ignore-all-space", "--ignore-blank-lines"] : []),
  ];
}
