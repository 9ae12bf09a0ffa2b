import { readFileSync, statSync } from "node:fs";

/** Lists the stations whose file has changed since the last import. */
export function findChangedStations(stations, importedAt) {
  return stations.filter(({ file }) => {
    const stats = statSync(file, { throwIfNoEntry: false });
    return stats !== undefined && stats.mtimeMs > importedAt;
  });
}

/** Compares the rows of a station with those that are stored. */
export function compareRows(station, stored) {
  const rows = readFileSync(station.file, "utf8").trim().split("\n");
  const known = new Set(stored);
  return { added: rows.filter((row) => !known.has(row)), kept: known.size };
}
