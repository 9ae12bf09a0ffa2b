/** Splits a command into words without a shell. Quotes keep a word together; no other character is special. */
export function splitCommand(command: string): string[] {
  const words = command.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? [];
  return words.map((word) =>
    word.replaceAll(/"([^"]*)"|'([^']*)'/g, (_, double?: string, single?: string) => {
      return double ?? single ?? "";
    }),
  );
}
