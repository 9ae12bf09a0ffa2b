/** What work costs this process, in milliseconds of CPU: others on the machine do not count. */
function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** A tenth as much work takes less than this: start-up and clocks would decide then. */
const LEAST_MS = 5;

/**
 * How many times as much the whole costs as a tenth of it: about 10 where the cost grows with the size,
 * 100 where it grows with its square, on any machine.
 */
export function growthFromTenth(tenth: () => void, whole: () => void): number {
  tenth(); // compiled by now
  const small = Math.max(LEAST_MS, cpuMs(tenth));
  return cpuMs(whole) / small;
}
