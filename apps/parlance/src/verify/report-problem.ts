export type Say = (line: string) => void;

/** Returns the number of problems, to be added up. */
export function reportProblem(say: Say, problem: string): 1 {
  say(`  ${problem}`);
  return 1;
}
