/** A command in its words: quotes hold one together, nothing else is special, no shell is asked. */
export function splitCommand(command: string): string[] {
  const words = command.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? [];
  return words.map((word) =>
    word.replaceAll(/"([^"]*)"|'([^']*)'/g, (_, double?: string, single?: string) => {
      return double ?? single ?? "";
    }),
  );
}
