/** How long a line may be, in characters. */
export const LIMIT = 65536;

export function fits(line) {
  return line.length <= LIMIT;
}
