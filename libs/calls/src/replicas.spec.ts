import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { NotInTime, RefusedByLeaving } from './lost-attempts.ts';
import { type Attempt, Replicas } from './replicas.ts';

describe('the replicas of a service', () => {
  let now = 0;
  const three = () => {
    const replicas = new Replicas(['http://a:1', 'http://b:1', 'http://c:1'], {}, () => now);
    const tries: unknown[] = [];
    const all = replicas.pools;
    const send =
      (refusing: (index: number) => Error | null) =>
      ({ pool, millis }: Attempt) => {
        const index = all.indexOf(pool);
        tries.push(millis === null ? index : [index, millis]);
        const error = refusing(index);
        return error ? Promise.reject(error) : Promise.resolve(index);
      };
    return { replicas, tries, send };
  };
  const refused = Object.assign(new Error('refused'), { syscall: 'connect', code: 'ECONNREFUSED' });

  it('skip a closed replica for a second', async () => {
    const { replicas, tries, send } = three();
    const firstIsDown = send((index) => (index === 0 ? refused : null));
    for (let attempt = 0; attempt < 9; attempt++) await replicas.ask(false, firstIsDown);
    expect(tries.filter((each) => each === 0)).toHaveLength(1);
    now += 1_001;
    for (let attempt = 0; attempt < 3; attempt++) await replicas.ask(false, firstIsDown);
    expect(tries.filter((each) => each === 0)).toHaveLength(2);
  });

  it('are the same one for calls that are alike, unless it is closed', async () => {
    const { replicas, tries, send } = three();
    const others = send(() => null);
    for (const alike of [7, 7, 8, 7]) {
      await replicas.ask(false, others, false, alike);
      await replicas.ask(
        false,
        send(() => null),
      );
    }
    const used = tries.filter((_, index) => index % 2 === 0);
    expect([used[1], used[3], used[2] === used[0]]).toEqual([used[0], used[0], false]);
    const closed = send((index) => (index === used[0] ? refused : null));
    await replicas.ask(false, closed, false, 7);
    expect(await replicas.ask(false, closed, false, 7)).not.toBe(used[0]);
  });

  it('send every call to the only replica that accepts connections', async () => {
    const { replicas, tries, send } = three();
    const lastIsUp = send((index) => (index === 2 ? null : refused));
    for (let attempt = 0; attempt < 9; attempt++) await replicas.ask(false, lastIsUp);
    expect(
      [0, 1].map((closed) => tries.filter((index) => index === closed || (Array.isArray(index) && index[0] === closed)).length),
    ).toEqual([1, 1]);
  });

  it('prefer a replica that has just refused a connection to one that is about to end', async () => {
    const { replicas, tries, send } = three();
    await replicas.ask(false, (attempt) => {
      const index = replicas.pools.indexOf(attempt.pool);
      if (index !== 2) attempt.life!.isLeaving = true;
      return send(() => (index === 2 ? null : refused))(attempt);
    });
    await replicas
      .ask(
        false,
        send(() => refused),
      )
      .catch(() => undefined);
    tries.length = 0;
    await replicas.ask(
      false,
      send(() => null),
    );
    expect(tries).toEqual([2]);
  });

  it.each([
    ['refuses the connection', refused],
    ['is about to end', new RefusedByLeaving()],
  ])('report a request as lost that one may have received, also if the other one %s', async (_, error) => {
    const replicas = new Replicas(['http://a:1', 'http://b:1'], {}, () => now);
    const gone = Object.assign(new Error('reset'), { code: 'ECONNRESET' });
    const errors = [gone, error];
    await expect(replicas.ask(true, () => Promise.reject(errors.shift()))).rejects.toBe(gone);
    expect(errors).toEqual([]);
  });

  it('send a request once more to a single address behind which a replica has refused it', async () => {
    const replicas = new Replicas(['http://a:1'], {}, () => now);
    let tries = 0;
    const refusing = () => {
      tries++;
      now += 100;
      return Promise.reject(new RefusedByLeaving());
    };
    await expect(replicas.ask(true, refusing)).rejects.toBeInstanceOf(RefusedByLeaving);
    expect(tries).toBe(2);
  });

  it('are all tried, and tried again at the next call, if all are closed', async () => {
    const { replicas, tries, send } = three();
    for (let attempt = 0; attempt < 2; attempt++)
      await expect(
        replicas.ask(
          false,
          send(() => refused),
        ),
      ).rejects.toBe(refused);
    expect(tries).toHaveLength(6);
  });

  it('move on to the next replica when all addresses of a host name refuse the connection', async () => {
    const { replicas, tries, send } = three();
    const both = new AggregateError([refused, refused]);
    await replicas.ask(
      false,
      send(() => (tries.length === 1 ? both : null)),
    );
    expect(tries).toHaveLength(2);
  });

  it('give a second attempt the rest of the second, and make no third attempt if no time is left', async () => {
    const { replicas, tries, send } = three();
    const silent = send(() => {
      now += tries.length === 1 ? 800 : 150;
      return tries.length === 1 ? Object.assign(new Error('timeout'), { code: 'UND_ERR_CONNECT_TIMEOUT' }) : new NotInTime();
    });
    await expect(replicas.ask(true, silent)).rejects.toBeInstanceOf(NotInTime);
    expect(tries).toEqual([expect.any(Number), [expect.any(Number), 150]]);
  });

  it('give a full second to the repeat of a call that was lost late', async () => {
    const { replicas, tries, send } = three();
    const dying = send(() => {
      now += 5_000;
      return tries.length === 1 ? Object.assign(new Error('gone'), { code: 'ECONNRESET' }) : null;
    });
    await replicas.ask(true, dying);
    expect(tries).toEqual([expect.any(Number), [expect.any(Number), 950]]);
  });

  describe('with only one address', () => {
    const lost = (bytesRead?: number) =>
      Object.assign(new Error('gone'), { code: 'UND_ERR_SOCKET', ...(bytesRead !== undefined && { socket: { bytesRead } }) });
    const tries = async (error: Error, mayRepeat = true) => {
      let count = 0;
      const alwaysLost = () => Promise.reject(++count && error);
      await expect(new Replicas(['http://a:1'], {}, () => now).ask(mayRepeat, alwaysLost)).rejects.toBe(error);
      return count;
    };

    it.each([
      ['tried again, once, after losing a connection that had carried answers', 2, lost(100)],
      ['tried again, once, after losing a connection that may have carried answers', 2, lost()],
      ['not tried again after losing a new connection, because the request may have crashed the service', 1, lost(0)],
      ['not tried again after another error', 1, new Error('invalid answer')],
    ])('are %s', async (_, count, error) => expect(await tries(error)).toBe(count));
    it('is not tried again if the call may not be repeated', async () => expect(await tries(lost(100), false)).toBe(1));
  });

  it('are tried once each if two names share an address', async () => {
    const named = new Replicas(
      ['http://bots:80', 'http://bots-too:80'],
      {},
      () => now,
      async () => ['http://127.0.0.1:9', 'http://127.0.0.2:9'],
    );
    await named.ask(false, async () => undefined);
    await new Promise(setImmediate);
    const tries: unknown[] = [];
    await expect(named.ask(false, ({ pool }) => (tries.push(pool), Promise.reject(refused)))).rejects.toBe(refused);
    expect([tries.length, new Set(tries).size]).toEqual([2, 2]);
  });

  it('are asked for a sign of life while there are requests, so that none waits for a silent one', async () => {
    const isLeft = Promise.withResolvers<void>();
    const servers = await Promise.all(
      [0, 1].map(async (index) => {
        const state = { asked: 0, address: '' };
        const server = createServer((request, response) => {
          const isQuestion = request.url === '/health/live';
          if (!isQuestion) state.asked++;
          if (index === 0) response.end();
          else if (isQuestion) request.once('close', isLeft.resolve);
        }).listen(0, '127.0.0.1');
        await once(server, 'listening');
        state.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
        return { server, state };
      }),
    );
    const both = new Replicas(
      servers.map(({ state }) => state.address),
      { silentAfter: 60_000 },
      () => now,
    );
    const ask = () => both.ask(false, async ({ pool }) => (await pool.request({ method: 'GET', path: '/' })).body.dump());
    // The second one is the first in turn.
    await both.ask(false, async () => undefined);
    now += 2_001;
    await ask();
    await isLeft.promise;
    for (let attempt = 0; attempt < 4; attempt++) await ask();
    expect(servers.map(({ state }) => state.asked)).toEqual([5, 0]);
    await Promise.all(both.pools.map((pool) => pool.destroy()));
    for (const { server } of servers) server.close().closeAllConnections();
  });

  it('are those of a name, and follow its changes', async () => {
    let found = ['http://127.0.0.1:9', 'http://127.0.0.2:9'];
    const named = new Replicas(
      ['http://bots:80'],
      {},
      () => now,
      async () => found,
    );
    const used: number[] = [];
    const ask = async () => {
      await named.ask(false, async ({ pool }) => void used.push(named.pools.indexOf(pool)));
      await new Promise(setImmediate);
    };
    await ask();
    for (let attempt = 0; attempt < 4; attempt++) await ask();
    expect(used.slice(1).toSorted()).toEqual([0, 0, 1, 1]);
    const [one, two] = named.pools;
    found = ['http://127.0.0.2:9', 'http://127.0.0.3:9'];
    now += 5_000;
    await ask();
    expect([named.pools.includes(one!), named.pools.includes(two!), named.pools.length]).toEqual([false, true, 2]);
  });

  it.each([
    ['a lost query', true, Object.assign(new Error('gone'), { code: 'UND_ERR_SOCKET' })],
    ['a refused command', false, refused],
  ])('of a name get %s if the only earlier one was replaced meanwhile', async (_, mayRepeat, error) => {
    let found = ['http://10.0.0.1:80'];
    const named = new Replicas(
      ['http://bots:80'],
      {},
      () => now,
      async () => found,
    );
    await named.ask(mayRepeat, async () => undefined);
    await new Promise(setImmediate);
    const [earlier] = named.pools;
    found = ['http://10.0.0.2:80'];
    now += 4_500;
    const used: unknown[] = [];
    await named.ask(mayRepeat, async ({ pool }) => {
      used.push(pool);
      if (used.length > 1) return;
      now += 500;
      await named.ask(mayRepeat, async () => undefined);
      await new Promise(setImmediate);
      throw error;
    });
    expect([used.length, used[0] === earlier, used[1] === named.pools[0]]).toEqual([2, true, true]);
  });

  it('are resolved once at a time, because a lookup that hangs occupies a thread', async () => {
    let lookups = 0;
    const { promise, resolve } = Promise.withResolvers<readonly string[]>();
    const named = new Replicas(
      ['http://bots:80'],
      {},
      () => now,
      () => (lookups++, promise),
    );
    const ask = async () => {
      now += 5_000;
      await named.ask(false, async () => undefined);
      await new Promise(setImmediate);
    };
    for (let attempt = 0; attempt < 3; attempt++) await ask();
    expect(lookups).toBe(1);
    resolve(['http://10.0.0.1:80']);
    await ask();
    await ask();
    expect(lookups).toBe(2);
  });
});
