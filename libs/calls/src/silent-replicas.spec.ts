import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import { type Attempt, Replicas } from './replicas.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** A replica that answers questions for a sign of life unless it is frozen. */
async function replica() {
  const state = { isFrozen: false, address: '' };
  const held: ServerResponse[] = [];
  const server = createServer((_, response) => void (state.isFrozen ? held.push(response) : response.end('{}'))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => (server.close(), server.closeAllConnections()));
  state.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return state;
}

/** A clock of the test. While a replica is silent, each look of a request at it reads the clock. */
function clock() {
  const its = { now: 0, reads: 0 };
  return Object.assign(its, {
    read: () => (its.reads++, its.now),
    async looks() {
      const { reads } = its;
      await waitFor(() => its.reads > reads + 3, { what: 'several looks at the silent replica' });
    },
  });
}

/** A request whose attempts are answered by the test. */
function request(replicas: Replicas, mayRepeat: boolean) {
  const attempts: (Attempt & { readonly answer: (text: string) => void; signs: number })[] = [];
  const outcome = replicas
    .ask(mayRepeat, (attempt) => {
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      const life = attempt.life!;
      const mine = { ...attempt, answer: resolve, signs: 0 };
      const isThere = life.isThere.bind(life);
      life.isThere = async () => {
        const answered = await isThere();
        if (answered) mine.signs++;
        return answered;
      };
      attempt.end!.addEventListener('abort', () => reject(new Error('given up')));
      attempts.push(mine);
      return promise;
    })
    .catch((error: Error) => error.name);
  cleanups.push(() => Promise.all(replicas.pools.map((pool) => pool.destroy())));
  return { attempts, outcome };
}

describe('a request to a replica that freezes', () => {
  it('is not given up for two short freezes, if it is a command', async () => {
    const [one, two] = [await replica(), await replica()];
    const time = clock();
    const replicas = new Replicas([one.address, two.address], { silentAfter: 10, givenUpAfter: 5_000 }, time.read);
    const { attempts, outcome } = request(replicas, false);
    const { life } = attempts[0]!;
    const freeze = (isFrozen: boolean) => ([one.isFrozen, two.isFrozen] = [isFrozen, isFrozen]);
    freeze(true);
    await waitFor(() => life!.isMissing, { what: 'the first freeze to be noticed' });
    freeze(false);
    await waitFor(() => !life!.isMissing, { what: 'the next sign of life' });
    const { signs } = attempts[0]!;
    await waitFor(() => attempts[0]!.signs > signs + 2, { what: 'the command to notice it' });
    time.now = 6_000;
    freeze(true);
    await waitFor(() => life!.isMissing, { what: 'the second freeze to be noticed' });
    await time.looks();
    time.now += 4_999;
    await time.looks();
    attempts[0]!.answer('done');
    expect(await outcome).toBe('done');
  });

  it('is given up when the freeze lasts longer than a command waits', async () => {
    const [one, two] = [await replica(), await replica()];
    const time = clock();
    const replicas = new Replicas([one.address, two.address], { silentAfter: 10, givenUpAfter: 5_000 }, time.read);
    const { attempts, outcome } = request(replicas, false);
    [one.isFrozen, two.isFrozen] = [true, true];
    await waitFor(() => attempts[0]!.life!.isMissing, { what: 'the freeze to be noticed' });
    await time.looks();
    time.now = 5_000;
    expect(await outcome).toBe('NoSignOfLife');
  });

  it('waits for the second replica, if it is a query that was already repeated', async () => {
    const all = [await replica(), await replica(), await replica()];
    const time = clock();
    const replicas = new Replicas(
      all.map(({ address }) => address),
      { silentAfter: 10 },
      time.read,
    );
    const { pools } = replicas;
    const { attempts, outcome } = request(replicas, true);
    const freeze = (index: number) => (all[pools.indexOf(attempts[index]!.pool)]!.isFrozen = true);
    freeze(0);
    await waitFor(() => attempts.length === 2, { what: 'the repeat' });
    freeze(1);
    await waitFor(() => attempts[1]!.life!.isMissing, { what: 'the second freeze to be noticed' });
    await time.looks();
    attempts[1]!.answer('done');
    expect([await outcome, attempts.length]).toEqual(['done', 2]);
  });
});
