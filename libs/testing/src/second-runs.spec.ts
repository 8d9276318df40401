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
interface Figures {
  readonly missed: readonly string[];
  readonly isBroken?: boolean;
}
type SecondMeasurement = (
  measure: () => Promise<Figures>,
  options: { readonly missedOf: (figures: Figures) => readonly string[]; readonly isBroken: (figures: Figures) => boolean },
) => Promise<{ readonly outcome: Figures; readonly slow: readonly string[]; readonly failedOnce: boolean }>;

// A tool that runs before anything is built: it has no types.
const tool = new URL('../../../tools/second-runs.mjs', import.meta.url).href;
const { secondRuns, secondMeasurement } = (await import(tool)) as {
  readonly secondRuns: SecondRuns;
  readonly secondMeasurement: SecondMeasurement;
};

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

describe('a bench of npm test', () => {
  const measured = async (...outcomes: readonly Figures[]) => {
    const left = [...outcomes];
    const result = await secondMeasurement(async () => left.shift()!, {
      missedOf: ({ missed }) => missed,
      isBroken: ({ isBroken = false }) => isBroken,
    });
    return { ...result, runs: outcomes.length - left.length };
  };
  const good = { missed: [] };
  const slow = { missed: ['3, not at most 2'] };

  it('runs once when its ratios hold', async () => {
    expect(await measured(good, good)).toEqual({ outcome: good, slow: [], failedOnce: false, runs: 1 });
  });

  it('runs again when a ratio fails, and says so', async () => {
    expect(await measured(slow, good)).toEqual({ outcome: good, slow: slow.missed, failedOnce: true, runs: 2 });
  });

  it('fails when a ratio fails twice, or the second measurement is broken', async () => {
    const worse = { missed: ['4, not at most 2'] };
    expect(await measured(slow, worse)).toEqual({ outcome: worse, slow: slow.missed, failedOnce: false, runs: 2 });
    const broken = { missed: [], isBroken: true };
    expect(await measured(slow, broken)).toEqual({ outcome: broken, slow: slow.missed, failedOnce: false, runs: 2 });
  });

  it('never measures an error or a broken invariant away', async () => {
    const broken = { missed: ['3, not at most 2'], isBroken: true };
    expect(await measured(broken, good)).toEqual({ outcome: broken, slow: [], failedOnce: false, runs: 1 });
  });
});
