/** What one model costs and holds. Prices are list prices in US dollars for a million tokens. */
export interface ModelFacts {
  readonly alias: string;
  readonly id: string;
  readonly name: string;
  readonly use: string;
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
  /** Decides by itself how much to think. */
  readonly adapts: boolean;
  readonly prices: Prices;
  /** Prompts beyond `above` tokens cost these. */
  readonly longPrompts?: { readonly above: number; readonly prices: Prices };
}
export interface Prices {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

const large = { contextWindow: 1_000_000, maxOutputTokens: 128_000, adapts: true };
const prices = (input: number, output: number, cacheRead: number, cacheWrite: number): Prices => ({
  input,
  output,
  cacheRead,
  cacheWrite,
});

export const models: readonly ModelFacts[] = [
  {
    alias: "opus",
    id: "claude-opus-5-5",
    name: "Opus",
    use: "for everyday, complex work",
    ...large,
    prices: prices(4, 20, 0.2, 5),
  },
  {
    alias: "fable",
    id: "claude-fable-5-2",
    name: "Fable",
    use: "for the hardest and longest work",
    ...large,
    prices: prices(8, 40, 0.2, 10),
  },
  {
    alias: "sonnet",
    id: "claude-sonnet-5-5",
    name: "Sonnet",
    use: "for routine work",
    ...large,
    prices: prices(2, 10, 0.1, 2.5),
  },
  {
    alias: "haiku",
    id: "claude-haiku-5-5",
    name: "Haiku",
    use: "for quick answers",
    ...large,
    prices: prices(0.1, 0.5, 0.01, 0.125),
    longPrompts: { above: 100_000, prices: prices(0.5, 2.5, 0.05, 0.625) },
  },
];

/** For models that the table does not name: a window and prices that rather end too early. */
const unlisted = {
  name: "",
  use: "",
  contextWindow: 200_000,
  maxOutputTokens: 32_000,
  adapts: false,
  prices: prices(3, 15, 0.3, 3.75),
};

/** The model that a name means: an alias, `default`, or an id that is sent as it stands. */
export function resolveModel(name: string | undefined): string {
  if (name === undefined || name === "" || name === "default") return models[0]!.id;
  const bare = name.replace(/\[1m\]$/, "");
  return models.find(({ alias }) => alias === bare)?.id ?? bare;
}

/** `claude-opus-5-5` as one says it: Opus 5.5. */
export function spokenName(id: string): string {
  const found = /^claude-([a-z])([a-z]*)-(\d+)-(\d+)/.exec(id);
  return found ? `${found[1]!.toUpperCase()}${found[2]} ${found[3]}.${found[4]}` : id;
}

export function factsOf(id: string): ModelFacts {
  const listed = models.find((model) => id === model.id || id.startsWith(`${model.id}-`));
  return listed ?? { ...unlisted, alias: id, id };
}

/** The small model, for what the agent asks on its own account. */
export const smallModel = "claude-haiku-5-5";

/** As `initialize` and `list_models` show them. */
export function describeModels(): object[] {
  const shown = ({ alias, id, name, use, prices }: ModelFacts) => ({
    value: alias,
    resolvedModel: id,
    displayName: name,
    description: `${name} · ${use} · $${prices.input}/$${prices.output} per Mtok`,
    supportsEffort: true,
    supportsAdaptiveThinking: true,
    supportsAutoMode: false,
  });
  const first = shown(models[0]!);
  return [
    { ...first, value: "default", displayName: "Default (recommended)" },
    ...models.map(shown),
  ];
}
