import { describe, expect, it } from '@jest/globals';

interface Results {
  readonly passed: number;
  readonly failed: number;
  readonly failedFiles: readonly { readonly file: string; readonly passed: number; readonly failed: number }[];
}
type Again = (project: string, file: string) => Promise<{ readonly passed: number; readonly failed: number } | undefined>;
type SecondRuns = (
  results: ReadonlyMap<string, Results>,
  options: { readonly again: Again },
) => Promise<{ readonly results: ReadonlyMap<string, Results>; readonly failedOnce: readonly string[] }>;

// A tool that runs before anything is built: it has no types.
const tool = new URL('../../../tools/second-runs.mjs', import.meta.url).href;
const { secondRuns } = (await import(tool)) as { readonly secondRuns: SecondRuns };

const file = (name: string) => ({ file: name, passed: 3, failed: 1 });
const project = (...files: readonly string[]) => new Map([['libs/a', { passed: 20, failed: files.length, failedFiles: files.map(file) }]]);
const outcome = async (first: ReadonlyMap<string, Results>, again: Again) => {
  const { results, failedOnce } = await secondRuns(first, { again });
  const { passed, failed } = results.get('libs/a')!;
  return { passed, failed, failedOnce };
};

describe('a spec file that failed in npm test', () => {
  it('counts as passed, and is told by name, when all its tests pass in a second run', async () => {
    const again = async (_: string, name: string) => (name === 'once.ts' ? { passed: 4, failed: 0 } : { passed: 3, failed: 1 });
    expect(await outcome(project('once.ts', 'twice.ts'), again)).toEqual({ passed: 21, failed: 1, failedOnce: ['libs/a/once.ts'] });
  });

  it('stays failed when the second run has failures, fewer tests, or no results', async () => {
    for (const second of [{ passed: 3, failed: 1 }, { passed: 4, failed: 1 }, { passed: 3, failed: 0 }, undefined])
      expect(await outcome(project('a.ts'), async () => second)).toEqual({ passed: 20, failed: 1, failedOnce: [] });
  });

  it('runs no second time when more than six files failed', async () => {
    const good = async () => ({ passed: 4, failed: 0 });
    const names = ['1', '2', '3', '4', '5', '6', '7'];
    expect((await outcome(project(...names), good)).failed).toBe(7);
    expect((await outcome(project(...names.slice(1)), good)).failed).toBe(0);
  });
});
