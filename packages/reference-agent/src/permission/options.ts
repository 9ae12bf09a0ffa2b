/**
 * Options that are known to be harmless, command by command. Options can be combined (`sort -uo
 * FILE`), joined with their values (`-oFILE`) and abbreviated (`--outp=FILE`), so a list of
 * dangerous ones would have gaps: any option that is not listed here requires a question.
 */
interface Known {
  /** Short options without a value. */
  readonly flags?: string;
  /** Short options whose value is the rest of the word, or the next word. */
  readonly withValue?: string;
  /** Short options whose optional value is the rest of the word. */
  readonly attachedValue?: string;
  /** Long options; `=` for each required value, `?` for an optional one after an equals sign. */
  readonly long?: string;
}

const digits = "0123456789";
const checksum: Known = { flags: "btwz", long: "binary text tag zero" };
const grep: Known = {
  flags: `EFGPivwxycHhLlnobqsaIrRUzZT${digits}`,
  withValue: "emABCDd",
  long: "extended-regexp fixed-strings basic-regexp perl-regexp regexp= ignore-case no-ignore-case invert-match word-regexp line-regexp count color? colour? files-with-matches files-without-match max-count= only-matching quiet silent no-messages byte-offset with-filename no-filename line-number null null-data after-context= before-context= context= text include= exclude= exclude-dir= recursive dereference-recursive binary-files= directories= line-buffered initial-tab label=",
};

const known: Readonly<Record<string, Known>> = {
  pwd: {},
  whoami: {},
  id: { flags: "ugGnrzaZ", long: "user group groups name real zero" },
  date: {
    flags: "uR",
    withValue: "dr",
    attachedValue: "I",
    long: "utc universal date= iso-8601? rfc-3339= rfc-email reference=",
  },
  uname: { flags: "asnrvmpio", long: "all" },
  hostname: { flags: "sfdiIAay", long: "short fqdn long domain ip-address all-ip-addresses" },
  arch: {},
  nproc: { long: "all ignore=" },
  uptime: { flags: "ps", long: "pretty since" },
  groups: {},
  tty: { flags: "s", long: "silent quiet" },
  which: { flags: "as", long: "all" },
  type: { flags: "tpafP" },
  basename: { flags: "az", withValue: "s", long: "multiple suffix= zero" },
  dirname: { flags: "z", long: "zero" },
  cal: { flags: "13jmsywY", withValue: "ABn" },
  locale: { flags: "amk" },
  getconf: { flags: "a", withValue: "v" },
  ls: {
    flags: "1aAbBcCdfFgGhHiklLmnNopqQrRsStuUvxXZ",
    withValue: "IwT",
    long: "all almost-all author escape block-size= ignore-backups color? directory classify? file-type full-time group-directories-first no-group human-readable si dereference hide= hyperlink? indicator-style= inode ignore= kibibytes numeric-uid-gid literal hide-control-chars quote-name quoting-style= reverse recursive size sort= time= time-style= width= zero format=",
  },
  cat: {
    flags: "AbeEnstTuv",
    long: "show-all number-nonblank show-ends number squeeze-blank show-tabs show-nonprinting",
  },
  head: { flags: `qvz${digits}`, withValue: "nc", long: "lines= bytes= quiet silent verbose" },
  tail: {
    flags: `fFqrvz${digits}`,
    withValue: "ncs",
    long: "lines= bytes= follow? quiet silent verbose retry pid= sleep-interval=",
  },
  wc: { flags: "clmLw", long: "bytes chars lines words max-line-length total=" },
  stat: { flags: "Lftx", withValue: "c", long: "format= printf= dereference terse file-system" },
  file: {
    flags: "bhiIkLNnprs0",
    withValue: "FPe",
    long: "brief mime mime-type mime-encoding dereference no-dereference keep-going extension separator= exclude= no-pad print0 raw",
  },
  du: {
    flags: "0abcDhHklLmPsSx",
    withValue: "dBt",
    long: "all bytes human-readable summarize max-depth= total apparent-size si exclude= time? threshold= one-file-system separate-dirs count-links dereference null block-size= inodes",
  },
  df: {
    flags: "ahHiklPTv",
    withValue: "Btx",
    long: "all human-readable si inodes local portability print-type type= exclude-type= total block-size= output?",
  },
  tree: {
    flags: "adflxqNQpugshDFvtcUrSACXJin",
    withValue: "LPI",
    long: "dirsfirst filesfirst noreport du si prune filelimit= charset= inodes device matchdirs ignore-case gitignore sort?",
  },
  sort: {
    flags: "bdfgiMhnRrVcCmsuz",
    withValue: "ktS",
    long: "reverse unique numeric-sort human-numeric-sort version-sort general-numeric-sort month-sort random-sort dictionary-order ignore-case ignore-leading-blanks key= field-separator= stable zero-terminated check? merge parallel= buffer-size=",
  },
  uniq: {
    flags: "cdDiuz",
    withValue: "fsw",
    long: "count repeated all-repeated? unique ignore-case skip-fields= skip-chars= check-chars= zero-terminated",
  },
  cut: {
    flags: "snz",
    withValue: "bcdf",
    long: "bytes= characters= delimiter= fields= complement only-delimited output-delimiter= zero-terminated",
  },
  paste: { flags: "sz", withValue: "d", long: "serial delimiters= zero-terminated" },
  column: {
    flags: "txeJ",
    withValue: "soc",
    long: "table separator= output-separator= fillrows json",
  },
  nl: {
    flags: "p",
    withValue: "bdfhilnsvw",
    long: "body-numbering= number-format= number-separator= number-width= starting-line-number= line-increment=",
  },
  tac: { flags: "br", withValue: "s", long: "before regex separator=" },
  rev: {},
  fold: { flags: `bs${digits}`, withValue: "w", long: "bytes spaces width=" },
  diff: {
    flags: `abBcdeEiNnpqrstTuwyZ${digits}`,
    withValue: "ICFLUWx",
    long: "brief unified? context? ignore-case ignore-all-space ignore-space-change ignore-trailing-space ignore-blank-lines ignore-tab-expansion side-by-side recursive new-file color? text width= suppress-common-lines left-column strip-trailing-cr minimal report-identical-files exclude= label= ignore-matching-lines= normal show-c-function no-dereference expand-tabs speed-large-files",
  },
  cmp: {
    flags: "bls",
    withValue: "in",
    long: "print-bytes verbose silent quiet bytes= ignore-initial=",
  },
  comm: {
    flags: "123iz",
    long: "total check-order nocheck-order output-delimiter= zero-terminated",
  },
  md5sum: checksum,
  sha1sum: checksum,
  sha256sum: checksum,
  sha512sum: checksum,
  cksum: { withValue: "a", long: "algorithm= untagged" },
  strings: {
    flags: "afwo",
    withValue: "ntes",
    long: "all bytes= radix= print-file-name encoding=",
  },
  od: {
    flags: `abcdfhilosvxBDFHILOX${digits}`,
    withValue: "AjNt",
    attachedValue: "w",
    long: "address-radix= skip-bytes= read-bytes= format= width? output-duplicates",
  },
  hexdump: { flags: "bcCdovx", withValue: "ens" },
  base64: { flags: "dD", withValue: "w", long: "decode wrap= ignore-garbage" },
  readlink: {
    flags: "fenmqsvz",
    long: "canonicalize canonicalize-existing canonicalize-missing no-newline quiet zero",
  },
  realpath: {
    flags: "eLmPqsz",
    long: "canonicalize-existing canonicalize-missing logical physical quiet strip no-symlinks zero",
  },
  grep,
  egrep: grep,
  fgrep: grep,
  rg: {
    flags: `iSsvwxclnNHIoUuaqFPLp0.`,
    withValue: "emABCgtTjrdME",
    long: "ignore-case smart-case case-sensitive invert-match word-regexp line-regexp count count-matches files files-with-matches files-without-match line-number no-line-number with-filename no-filename heading no-heading only-matching multiline multiline-dotall text quiet fixed-strings pcre2 hidden no-ignore no-ignore-vcs unrestricted follow null json stats trim vimgrep column sort= sortr= glob= iglob= type= type-not= max-count= max-depth= max-filesize= threads= after-context= before-context= context= color= colors= regexp= replace= context-separator= pretty max-columns= crlf no-messages passthru",
  },
  jq: {
    flags: "cnrRsSeaCMj",
    long: "compact-output null-input raw-output raw-input slurp sort-keys exit-status ascii-output color-output monochrome-output join-output tab arg== argjson== indent= stream seq",
  },
  rm: { flags: "rRfidvI", long: "recursive force dir verbose" },
  rmdir: { flags: "pv", long: "parents verbose ignore-fail-on-non-empty" },
  mkdir: { flags: "pv", withValue: "m", long: "parents verbose mode=" },
  touch: { flags: "acm", withValue: "dt", long: "no-create date= time=" },
  tee: { flags: "ai", long: "append ignore-interrupts" },
  mv: {},
  cp: {},
};

interface Read {
  /** The words that are neither options nor values of options. */
  readonly operands: readonly string[];
  /** The short and long options that were given. */
  readonly given: ReadonlySet<string>;
}

/** Parses a command's words; undefined if one of its options is not known to be harmless. */
export function readOptions(name: string, words: readonly string[]): Read | undefined {
  const table = known[name];
  return table && readBy(table, words);
}

export function readBy(table: Known, words: readonly string[]): Read | undefined {
  const operands: string[] = [];
  const given = new Set<string>();
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (word === "--") return { operands: [...operands, ...words.slice(at + 1)], given };
    if (word === "-") continue;
    if (!word.startsWith("-")) operands.push(word);
    else {
      const taken = word.startsWith("--") ? long(table, word, given) : short(table, word, given);
      if (taken === undefined) return undefined;
      at += taken;
    }
  }
  return { operands, given };
}

/** Returns how many of the next words belong to an option; undefined if it is unknown. */
function long({ long: names = "" }: Known, word: string, given: Set<string>): number | undefined {
  const [, name = "", attachedValue] = /^--([\w-]+)(=[^]*)?$/.exec(word) ?? [];
  const entry = names.split(" ").find((one) => one.replace(/[=?]+$/, "") === name && name !== "");
  if (entry === undefined) return undefined;
  given.add(name);
  const values = entry.length - name.length;
  if (entry.endsWith("?")) return 0;
  if (attachedValue === undefined) return values;
  return values === 1 ? 0 : undefined;
}

function short(table: Known, word: string, given: Set<string>): number | undefined {
  const letters = word.slice(1).split("");
  for (const [index, letter] of letters.entries()) {
    given.add(letter);
    if (table.withValue?.includes(letter)) return index === letters.length - 1 ? 1 : 0;
    if (table.attachedValue?.includes(letter)) return 0;
    if (!table.flags?.includes(letter)) return undefined;
  }
  return 0;
}
