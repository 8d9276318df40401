import { EventEmitter, once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type Attempt, Replicas } from './replicas.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** A replica that answers questions for a sign of life, and other requests only when the test does. */
async function replica() {
  const events = new EventEmitter<{ asked: [ServerResponse]; question: [] }>();
  const server = createServer(({ url }, response) => {
    if (url !== '/health/live') return void events.emit('asked', response);
    response.end('{}');
    events.emit('question');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => (server.close(), server.closeAllConnections()));
  return { events, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

describe('a replica whose address is no longer used', () => {
  it('still completes a command, as long as it shows signs of life', async () => {
    const [one, two] = [await replica(), await replica()];
    let now = 0;
    let found = [one.address, two.address];
    const replicas = new Replicas(
      [one.address, two.address],
      { silentAfter: 1, givenUpAfter: 0 },
      () => now,
      async () => found,
    );
    cleanups.push(() => Promise.all(replicas.pools.map((pool) => pool.destroy())));
    const answers = new Map<string, ServerResponse>();
    for (const { address, events } of [one, two]) events.on('asked', (response) => answers.set(address, response));
    const post = async ({ pool, end }: Attempt) => (await pool.request({ path: '/', method: 'POST', signal: end! })).body.text();
    const commands = [replicas.ask(false, post), replicas.ask(false, post)];
    while (answers.size < 2) await Promise.race([once(one.events, 'asked'), once(two.events, 'asked')]);
    found = [`${one.address}/`, `${two.address}/`];
    now = 10_000;
    void replicas.ask(false, async () => undefined);
    await new Promise(setImmediate);
    expect(replicas.pools.filter(({ closed }) => closed)).toHaveLength(2);
    // The first question may have been on its way before.
    const twoQuestions = [one, two].map(async ({ events }) => (await once(events, 'question'), once(events, 'question')));
    await Promise.race([Promise.all(twoQuestions), Promise.all(commands)]);
    for (const response of answers.values()) response.end('done');
    expect(await Promise.all(commands)).toEqual(['done', 'done']);
  });
});
