import { PassThrough } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { progressBar } from './progress-bar.ts';

/** The text that a bar writes to a stream, which is a terminal or not. */
function written(isTTY: boolean): { stream: NodeJS.WriteStream; text: () => string } {
  const stream = Object.assign(new PassThrough(), {
    isTTY,
    columns: 100,
    cursorTo: () => true,
    moveCursor: () => true,
    clearLine: () => true,
  });
  return { stream: stream as unknown as NodeJS.WriteStream, text: () => String(stream.read() ?? '') };
}

describe('a progress bar', () => {
  it('shows the current part, the position, the total and the rate on a terminal', () => {
    const { stream, text } = written(true);
    const bar = progressBar('events', stream);
    bar.show('analytics: spend', 0, 2_000);
    bar.show('analytics: spend', 500, 2_000);
    bar.end();
    expect(text()).toMatch(/analytics: spend .* 0\/2000 0 events\/s/);
  });

  it('is a line every ten seconds if standard error is not a terminal', () => {
    const { stream, text } = written(false);
    let now = 0;
    const bar = progressBar('events', stream, () => now);
    for (; now < 25_000; now += 1_000) bar.show('bots', now / 1_000, 2_000);
    bar.end();
    expect(text()).toBe('bots: 10 of 2000\nbots: 20 of 2000\n');
  });

  it('writes nothing about a short command if standard error is not a terminal', () => {
    const { stream, text } = written(false);
    const bar = progressBar('events', stream);
    bar.show('analytics: spend', 0, 2_000);
    bar.show('bots: bots', 1, 2);
    bar.end();
    expect(text()).toBe('');
  });
});
