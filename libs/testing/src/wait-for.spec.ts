import { describe, expect, it } from '@jest/globals';
import { TimedOut, waitFor } from './wait-for.ts';

describe('waiting for a condition', () => {
  it('returns the final value of the condition', async () => {
    let calls = 0;
    expect(await waitFor(() => ++calls > 3 && calls)).toBe(4);
  });

  it('treats an error as "not yet"', async () => {
    let calls = 0;
    const condition = async (): Promise<string> => {
      if (++calls < 3) throw new Error('too early');
      return 'ready';
    };
    expect(await waitFor(condition)).toBe('ready');
  });

  it('reports what it waited for and the last error when the time is up', async () => {
    const why = new Error('no such row');
    const waiting = waitFor(() => Promise.reject(why), { timeout: 20, what: 'the reply to be stored' });
    await expect(waiting).rejects.toMatchObject({ name: 'TimedOut', message: 'Waited 20 ms for the reply to be stored.', cause: why });
    await expect(waiting).rejects.toBeInstanceOf(TimedOut);
  });

  it('ends early with the reason of its signal', async () => {
    const aborted = new AbortController();
    const waiting = waitFor(() => false, { signal: aborted.signal });
    aborted.abort(new Error('the server died'));
    await expect(waiting).rejects.toThrow('the server died');
  });
});
