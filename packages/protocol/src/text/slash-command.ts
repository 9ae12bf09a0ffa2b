/** Whether a message calls a command, such as `/compact`, rather than naming a path, such as `/tmp/a`. */
export function isSlashCommand(text: string): boolean {
  return /^\/[\w:-]+(?:\s|$)/.test(text);
}
