import { describe, expect, it } from '@jest/globals';
import { RunProgress } from './run-progress.ts';

describe('the progress of a run', () => {
  it('counts items by kind', () => {
    const progress = new RunProgress();
    for (const kind of ['files', 'files', 'pages', 's3'] as const) progress.found(kind);
    progress.done('files', false);
    progress.done('files', true);
    progress.failure('pages', 'https://a.example/', 'The page is gone.');
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
  it('names what has failed and what to do', () => {
    const progress = new RunProgress();
    progress.found('files');
    progress.found('pages');
    progress.failure('pages', 'https://a.example/', 'https://a.example/ does not exist.');
    progress.failure('files', 'a.txt', 'The file was not uploaded.');
    expect(progress.reason().split('\n')).toEqual([
      '2 of 2 sources failed. The earlier knowledge stays in service.',
      'https://a.example/ does not exist.',
      'a.txt: The file was not uploaded.',
      'Correct or remove these sources, and save the bot again.',
    ]);
  });
  it('names twenty failures and counts the others', () => {
    const progress = new RunProgress();
    for (let nth = 0; nth < 23; nth++) {
      progress.found('files');
      progress.failure('files', `${nth}.txt`, 'It is empty.');
    }
    const lines = progress.reason().split('\n');
    expect([lines.length, lines[20], lines[21]]).toEqual([23, '19.txt: It is empty.', 'There are 3 more.']);
    expect(progress.failureCount).toBe(23);
  });
  it('cuts long names', () => {
    const progress = new RunProgress();
    progress.failure('files', 'x'.repeat(1_000), 'It is empty.');
    expect(progress.reason().length).toBeLessThan(500);
  });
});
