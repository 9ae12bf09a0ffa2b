/** Files by which a repository or a shell could be made to run something. Many disks do not tell
 * capital letters from small ones. */
export function isSensitive(path: string): boolean {
  return (
    /\/\.(git|vscode|idea|claude|husky|devcontainer)(\/|$)/i.test(path) ||
    /\/\.(bashrc|bash_profile|bash_login|profile|zshrc|zprofile|zshenv|gitconfig|gitmodules|ripgreprc|mcp\.json|claude\.json|envrc|npmrc)$/i.test(
      path,
    )
  );
}

/** What steers the agent itself, and not only what runs around it. */
const ownParts =
  /\/\.claude(?:$|\/(?:settings(?:\.local)?\.json$|(?:commands|agents|skills)(?:\/|$)))/i;

/** Why a person is asked about such a file, in Claude Code's words. */
export function sensitiveText(path: string): string {
  const asked = "Claude requested permissions to";
  return ownParts.test(path)
    ? `${asked} write to ${path}, but you haven't granted it yet.`
    : `${asked} edit ${path} which is a sensitive file.`;
}
