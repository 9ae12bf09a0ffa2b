/** The prices and limits of a model. Prices are list prices in US dollars per million tokens. */
interface ModelFacts {
  readonly alias: string;
  readonly id: string;
  readonly name: string;
  readonly use: string;
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
  /** The model chooses by itself how much to think. */
  readonly adapts: boolean;
  /** Thinking cannot be turned off. */
  readonly alwaysThinks?: boolean;
  /** The default effort; undefined if the model has no such option. */
  readonly effort?: "medium" | "high";
  /** An unknown model, with the prices and window of the first model. */
  readonly isUnlisted?: boolean;
  readonly prices: Prices;
  /** The prices for prompts of more than `above` tokens. */
  readonly longPrompts?: { readonly above: number; readonly prices: Prices };
}
interface Prices {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

const large = {
  contextWindow: 1_000_000,
  maxOutputTokens: 128_000,
  adapts: true,
  alwaysThinks: true,
  effort: "medium",
} as const;
const prices = (input: number, output: number, cacheRead: number, cacheWrite: number): Prices => ({
  input,
  output,
  cacheRead,
  cacheWrite,
});

const models: readonly ModelFacts[] = [
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

const small = { name: "", use: "", contextWindow: 200_000, maxOutputTokens: 32_000 };
/** Describes a former model, with the usual prices of its cache. */
function createFormerModel(id: string, input: number, facts: Partial<ModelFacts> = {}): ModelFacts {
  const all = prices(input, input * 5, input / 10, input * 1.25);
  return { alias: id, id, ...small, adapts: false, prices: all, ...facts };
}
const adaptive = { adapts: true, effort: "high" } as const;
const wide = { ...adaptive, contextWindow: 1_000_000, maxOutputTokens: 64_000 };

/** Models that are no longer offered but still work if somebody names them. */
const formerModels: readonly ModelFacts[] = [
  createFormerModel("claude-3-5-haiku", 0.8, { maxOutputTokens: 8192 }),
  createFormerModel("claude-3-7-sonnet", 3),
  createFormerModel("claude-sonnet-4-0", 3, { alias: "claude-sonnet-4" }),
  createFormerModel("claude-sonnet-4-5", 3),
  createFormerModel("claude-haiku-4-5", 1),
  createFormerModel("claude-opus-4-5", 5, { effort: "high" }),
  createFormerModel("claude-sonnet-4-6", 3, adaptive),
  createFormerModel("claude-opus-4-6", 5, { ...adaptive, maxOutputTokens: 64_000 }),
  createFormerModel("claude-sonnet-5", 2, wide),
  createFormerModel("claude-opus-5", 5, wide),
  createFormerModel("claude-fable-5-1", 10, wide),
];

const unlisted = {
  ...small,
  ...adaptive,
  contextWindow: 1_000_000,
  prices: models[0]!.prices,
  isUnlisted: true,
};

/** The name for one model for plans and another for everything else. */
export const PLANNER = "opusplan";

/** Names of retired models, for which another one answers. */
const GONE = /^claude-opus-4-(?:0|1|20250514|1-20250805)$/;

/** Resolves a name to a model: an alias, `default`, or an id that is sent unchanged. */
export function resolveModel(name: string | undefined, isPlanning = false): string {
  if (name === undefined || name === "" || name === "default") return models[0]!.id;
  const bare = name.trim().replace(/\[1m\]$/i, "");
  const alias = bare.toLowerCase();
  if (alias === PLANNER) return resolveModel(isPlanning ? "opus" : "sonnet");
  if (alias === "best" || GONE.test(alias)) return models[0]!.id;
  return models.find((one) => one.alias === alias)?.id ?? bare;
}

/** Renders an id for people: `claude-opus-5-5` becomes "Opus 5.5". */
export function spokenName(id: string): string {
  const found = /^claude-([a-z])([a-z]*)-(\d+)-(\d+)/.exec(id);
  return found ? `${found[1]!.toUpperCase()}${found[2]} ${found[3]}.${found[4]}` : id;
}

export function getFacts(id: string): ModelFacts {
  const name = id.toLowerCase();
  const bare = name.replace(/-(?:\d{8}|latest)$/, "");
  const listed = [...models, ...formerModels].find(
    ({ id, alias }) => id === bare || alias === bare,
  );
  return listed ?? { ...unlisted, alias: name, id: name };
}

/** Describes an unknown model in Claude Code's words. */
export function unknownModelText(model: string): string {
  return `Claude Code doesn't recognize the model "${model}", so it assumes a context window of 1m tokens. Update Claude Code, or see https://code.claude.com/docs/en/model-config#correct-the-window-for-a-gateway-or-custom-model-id to set the window.`;
}

/** The small model, for the agent's own requests. */
export const smallModel = "claude-haiku-5-5";

/** Returns the small model if the endpoint is Anthropic's, because another one may not have it. */
export function smallModelFor(
  environment: Readonly<Record<string, string | undefined>>,
  modelName: string,
): string {
  const { ANTHROPIC_SMALL_FAST_MODEL, ANTHROPIC_DEFAULT_HAIKU_MODEL, ANTHROPIC_BASE_URL } =
    environment;
  const named = ANTHROPIC_SMALL_FAST_MODEL || ANTHROPIC_DEFAULT_HAIKU_MODEL;
  if (named) return resolveModel(named);
  const isOwn =
    !ANTHROPIC_BASE_URL || /^https:\/\/api\.anthropic\.com(?:[/:]|$)/.test(ANTHROPIC_BASE_URL);
  return isOwn ? smallModel : modelName;
}

/** The levels of effort, from low to high. */
export const efforts = ["low", "medium", "high", "xhigh", "max"] as const;

/** Describes the models for `initialize` and `list_models`. */
export function describeModels(): object[] {
  const shown = ({ alias, id, name, use, prices }: ModelFacts) => ({
    value: alias,
    resolvedModel: id,
    displayName: name,
    description: `${name} · ${use} · $${prices.input}/$${prices.output} per Mtok`,
    supportsEffort: true,
    supportedEffortLevels: [...efforts],
    supportsAdaptiveThinking: true,
    supportsAutoMode: false,
    supportsThinkingOff: false,
  });
  const first = shown(models[0]!);
  return [
    { ...first, value: "default", displayName: "Default (recommended)" },
    ...models.map(shown),
  ];
}
