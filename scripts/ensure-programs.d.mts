export interface Program {
  readonly names: readonly string[];
  readonly variable?: string;
  readonly package: string;
  readonly usedBy: "test" | "faults";
  readonly without: string;
}
export const programs: readonly Program[];
export function findProgram(program: Program): string | undefined;
export function ensurePrograms(wanted: readonly Program[]): Program[];
