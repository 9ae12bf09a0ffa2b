/**
 * Lines in the scripted model's language for a prompt: each call is a line that begins with `::`.
 */
export const say = (text: string): string => `::say ${text}`;
export const next = "::next";
export const tool = (name: string, input: object): string =>
  `::tool ${name} ${JSON.stringify(input)}`;
export const bash = (command: string, description: string, more: object = {}): string =>
  tool("Bash", { command, description, ...more });
export const prompt = (words: string, ...lines: string[]): string => [words, ...lines].join("\n");
/** The input that starts a subagent in the foreground. */
export const errand = (subagent_type: string, description: string, ...lines: string[]) => ({
  description,
  subagent_type,
  run_in_background: false,
  prompt: prompt(description, ...lines),
});
