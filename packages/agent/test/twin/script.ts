/** Lines of the scripted model's language for a prompt: each call is a line that begins with `::`. */
export const say = (text: string): string => `::say ${text}`;
export const next = "::next";
export const tool = (name: string, input: object): string =>
  `::tool ${name} ${JSON.stringify(input)}`;
export const bash = (command: string, description: string, more: object = {}): string =>
  tool("Bash", { command, description, ...more });
export const prompt = (words: string, ...lines: string[]): string => [words, ...lines].join("\n");
