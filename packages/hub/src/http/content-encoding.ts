/** The compressed forms of a file, by the suffix of its name, and as HTTP calls them; the smallest first. */
const names = { br: "br", gz: "gzip" } as const;
type EncodingSuffix = keyof typeof names;

interface ContentEncoding {
  readonly suffix: EncodingSuffix;
  readonly name: string;
}

/**
 * The smallest form of a file that a browser accepts (RFC 9110, 12.5.3); undefined: only the uncompressed
 * file.
 */
export function negotiateEncoding(
  accepted: string | null,
  forms: readonly EncodingSuffix[],
): ContentEncoding | undefined {
  const weights = parseWeights(accepted ?? "");
  const getWeight = (name: string) => weights.get(name) ?? weights.get("*") ?? 0;
  const end = (Object.keys(names) as EncodingSuffix[]).find(
    (form) => forms.includes(form) && getWeight(names[form]) > 0,
  );
  return end && { suffix: end, name: names[end] };
}

/** Whether a client takes an answer that is compressed with gzip. */
export function acceptsGzip(accepted: string | null): boolean {
  return negotiateEncoding(accepted, ["gz"]) !== undefined;
}

function parseWeights(accepted: string): ReadonlyMap<string, number> {
  return new Map(
    accepted.split(",").map((part) => {
      const [name = "", ...parameters] = part.split(";").map((piece) => piece.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith("q="));
      return [name, weight === undefined ? 1 : Number(weight.slice(2)) || 0];
    }),
  );
}
