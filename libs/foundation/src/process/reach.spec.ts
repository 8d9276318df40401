import { describe, expect, it } from '@jest/globals';
import { StartState } from '@parlance/observability';
import { reachInTime, reachOnce } from './reach.ts';

const named = (name: string) => Object.assign(new Error('10.0.0.7:27017'), { name });

const away = 'the database cannot be reached: check that it runs, and check mongoUri';

describe('a start that waits for its servers', () => {
  it('tries again until the server answers, and reports each failure', async () => {
    const start = new StartState();
    const [warnings, shown]: [string[], object[]] = [[], []];
    const opened = await reachInTime(start, 1)(
      'database',
      async () => {
        shown.push(start.waitingSeconds);
        if (shown.length < 3) throw named('MongoServerSelectionError');
        return 'opened';
      },
      (reason) => warnings.push(reason),
    );
    expect([opened, shown, start.waitingSeconds]).toEqual(['opened', [{ database: 0 }, { database: 0 }, { database: 0 }], {}]);
    expect(warnings).toEqual([away, away]);
  });

  it('stops at an error that retrying cannot fix', async () => {
    const start = new StartState();
    const reach = reachInTime(start, 1);
    await expect(reach('database', () => Promise.reject(named('MongoServerError')), fail)).rejects.toThrow('10.0.0.7');
    expect(start.waitingSeconds).toEqual({});
  });

  it('is not used for a process that a person starts', async () => {
    await expect(reachOnce('database', () => Promise.reject(named('MongoServerSelectionError')), fail)).rejects.toThrow('10.0.0.7');
  });
});

const fail = (): never => {
  throw new Error('reported an error that does not pass');
};
