import { describe, expect, it } from '@jest/globals';
import { StartState } from '@parlance/observability';
import { MongoServerError, MongoServerSelectionError } from 'mongodb';
import { reachInTime, reachOnce } from './reach.ts';

const noServer = new MongoServerSelectionError('10.0.0.7:27017', {} as never);
const election = new MongoServerError({ code: 189, errmsg: '10.0.0.7:27017' });
const wrongPassword = new MongoServerError({ code: 18, errmsg: '10.0.0.7:27017' });

const away = 'the database cannot be reached: check that it runs, and check mongoUri';

describe('a start that waits for its servers', () => {
  it('tries again until the server answers, and reports each failure', async () => {
    const start = new StartState();
    const [warnings, shown]: [string[], object[]] = [[], []];
    const opened = await reachInTime(start, 1)(
      'database',
      async () => {
        shown.push(start.waitingSeconds);
        if (shown.length < 3) throw shown.length === 1 ? noServer : election;
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
    await expect(reach('database', () => Promise.reject(wrongPassword), fail)).rejects.toThrow('10.0.0.7');
    expect(start.waitingSeconds).toEqual({});
  });

  it('is not used for a process that a person starts', async () => {
    await expect(reachOnce('database', () => Promise.reject(noServer), fail)).rejects.toThrow('10.0.0.7');
  });
});

const fail = (): never => {
  throw new Error('reported an error that does not pass');
};
