import { describe, expect, it } from '@jest/globals';
import { MOST_WARNINGS } from '../domain/knowledge/source-warnings.ts';
import { isDue, RunProgress } from './run-progress.ts';

describe('the progress of a run', () => {
  it('counts items by kind', () => {
    const progress = new RunProgress();
    for (const kind of ['files', 'files', 'pages', 's3'] as const) progress.found(kind);
    progress.done('files', false);
    progress.done('files', true);
    progress.failure('pages', 'https://a.example/', { code: 'not_found', message: 'The page is gone.' });
    progress.skipped('s3');
    progress.chunks = 4;
    const none = { done: 0, failed: 0, total: 0, unchanged: 0 };
    expect(progress.counts()).toEqual({
      files: { done: 2, failed: 0, total: 2, unchanged: 1 },
      pages: { done: 0, failed: 1, total: 1, unchanged: 0 },
      s3: none,
      sitemaps: none,
      chunks: 4,
    });
  });
  it('has the furthest step that an item has reached', () => {
    const progress = new RunProgress();
    expect(progress.step).toBe('download');
    for (const step of ['embed', 'parse'] as const) progress.reaches(step);
    expect(progress.step).toBe('embed');
  });
  it('names the failed sources and what to do', () => {
    const progress = new RunProgress();
    progress.found('files');
    progress.found('pages');
    progress.failure('pages', 'https://a.example/', { code: 'not_found', message: 'https://a.example/ does not exist.' });
    progress.failure('files', 'a.txt', { code: 'not_found', message: 'The file was not uploaded.' });
    expect(progress.reason().split('\n')).toEqual([
      '2 of 2 sources could not be read. The knowledge of the bot has not changed.',
      'https://a.example/ does not exist.',
      'a.txt: The file was not uploaded.',
      'Correct or remove these sources, and read the sources again.',
    ]);
  });
  it('names the one source that failed, and does not mention earlier knowledge, which a new bot does not have', () => {
    const progress = new RunProgress();
    progress.found('files');
    progress.failure('files', 'a.pdf', { code: 'not_found', message: 'The file is damaged.' });
    expect(progress.reason().split('\n')).toEqual([
      'The only source could not be read. The knowledge of the bot has not changed.',
      'a.pdf: The file is damaged.',
      'Correct or remove this source, and read the sources again.',
    ]);
    progress.found('files');
    expect(progress.reason()).toMatch(/^1 of 2 sources could not be read\./);
  });
  it('names twenty failures and counts the others', () => {
    const progress = new RunProgress();
    for (let index = 0; index < 23; index++) {
      progress.found('files');
      progress.failure('files', `${index}.txt`, { code: 'not_found', message: 'It is empty.' });
    }
    const lines = progress.reason().split('\n');
    expect([lines.length, lines[20], lines[21]]).toEqual([23, '19.txt: It is empty.', 'There are 3 more.']);
    expect(progress.failureCount).toBe(23);
  });
  it('names the sources without text if no source has failed', () => {
    const progress = new RunProgress();
    progress.found('files');
    progress.empty('files', 'a.txt', 'This file is empty.');
    expect(progress.reason().split('\n')).toEqual([
      'No source has text. The knowledge of the bot has not changed.',
      'a.txt: This file is empty.',
      'Correct or remove this source, and read the sources again.',
    ]);
  });
  it('warns of a hundred sources and counts the others, failed ones first', () => {
    const progress = new RunProgress();
    for (let index = 0; index < MOST_WARNINGS; index++) progress.empty('files', `${index}.txt`, 'This file is empty.');
    progress.failure('pages', 'https://a.example/', { code: 'not_found', message: 'The page is gone.' });
    expect([progress.warnings.length, progress.warningCount, progress.warnings[0]]).toEqual([
      MOST_WARNINGS,
      MOST_WARNINGS + 1,
      { source: 'https://a.example/', reason: 'The page is gone.', code: 'not_found' },
    ]);
  });
  it('counts a source without text as read', () => {
    const progress = new RunProgress();
    progress.empty('files', 'a.txt', 'This file is empty.');
    expect(progress.counts().files).toMatchObject({ done: 1, failed: 0 });
  });
  it('cuts long names', () => {
    const progress = new RunProgress();
    progress.failure('files', 'x'.repeat(1_000), { code: 'not_found', message: 'It is empty.' });
    expect(progress.reason().length).toBeLessThan(500);
  });
});

describe('the new index', () => {
  const made = (counts: { readonly chunks: number; readonly failed: number; readonly empty: number }) => {
    const progress = new RunProgress();
    progress.chunks = counts.chunks;
    for (let index = 0; index < counts.failed; index++)
      progress.failure('pages', `https://a.example/${index}`, { code: 'not_found', message: 'The page is gone.' });
    for (let index = 0; index < counts.empty; index++) progress.empty('files', `${index}.txt`, 'This file is empty.');
    return progress;
  };
  it.each([
    ['does not go into service if a source has failed', { chunks: 3, failed: 1, empty: 0 }, 'fail', 3, false],
    ['goes into service without the sources that are skipped', { chunks: 3, failed: 1, empty: 0 }, 'skip', 3, true],
    ['goes into service without the sources that are empty', { chunks: 3, failed: 0, empty: 1 }, 'fail', 3, true],
    ['does not go into service if all sources are skipped', { chunks: 0, failed: 1, empty: 0 }, 'skip', 0, false],
    ['does not go into service if all sources are skipped or empty', { chunks: 0, failed: 1, empty: 1 }, 'skip', 0, false],
    ['does not replace text if all sources are empty', { chunks: 0, failed: 0, empty: 1 }, 'skip', 3, false],
    ['goes into service if all sources are empty and none had text', { chunks: 0, failed: 0, empty: 1 }, 'fail', 0, true],
    ['goes into service if all pages of a site are gone', { chunks: 0, failed: 0, empty: 0 }, 'fail', 3, true],
  ] as const)('%s', (_, counts, onSourceError, inService, expected) =>
    expect(made(counts).mayTakeOver(onSourceError, inService)).toBe(expected),
  );
});

describe('the records of progress', () => {
  /** When the records of a run are written, in seconds, if it checks every three seconds. */
  const recordsOf = (seconds: number, hasMoved: boolean) => {
    const made: number[] = [0];
    for (let now = 3; now <= seconds; now += 3)
      if (isDue({ sinceStart: now * 1_000, sinceLast: (now - made.at(-1)!) * 1_000 }, hasMoved)) made.push(now);
    return made.slice(1);
  };
  it('follow a run that has just begun', () => expect(recordsOf(30, true)).toEqual([3, 6, 9, 12, 15, 18, 21, 24, 27, 30]));
  it('show that the worker is alive well within its lease', () => expect(recordsOf(30, false)).toEqual([12, 24]));
  it('number a few hundred in the longest run', () => expect(recordsOf(7_200, true).length).toBeLessThan(650));
});
