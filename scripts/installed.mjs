// Whether what the lock file names is what npm has put into `node_modules`.

/**
 * `wanted` are the packages of `package-lock.json`, `there` those of `node_modules/.package-lock.json`,
 * which npm writes at the end of every install, whoever asked for it. What is optional may be missing: it
 * is for other machines, or could not be had.
 */
export function isInstalled(wanted, there) {
  const names = new Set([...Object.keys(wanted), ...Object.keys(there)]);
  names.delete(""); // the workspace itself
  return [...names].every((name) => isSame(wanted[name], there[name]));
}

function isSame(wanted, there) {
  if (!wanted) return false;
  if (!there) return wanted.optional === true || wanted.devOptional === true;
  return ["version", "resolved", "integrity", "link"].every((fact) => wanted[fact] === there[fact]);
}
