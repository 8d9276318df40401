import { EventEmitter, once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { type Decider, Instant } from '@parlance/decider';
import type { Append, EventStore } from '@parlance/event-store';
import type { Projector } from '@parlance/read-models';
import fastify from 'fastify';
import { RequestContext } from '@parlance/observability';
import { limitAnswers, problem } from '@parlance/http';
import type { Clock } from './clock.ts';
import { Streams } from './streams.ts';

const decider: Decider<null, { type: 'Said' }, null> = { initialState: null, decide: () => [{ type: 'Said' }], evolve: () => null };

/** A server with a route that sleeps before it appends and a route whose append is slow. `appended` lists the events that were stored. */
function slowServer(limit: number) {
  const appended: string[] = [];
  const happens = new EventEmitter();
  const store = {
    append: async ({ stream }: Append) => {
      if (stream === 'bot-append') {
        happens.emit('appending');
        await once(happens, 'go on');
      }
      appended.push(stream);
      return { written: true, version: 1, position: 1, events: [] };
    },
    read: async () => ({ commits: [], more: false }),
    earlier: async () => [],
  } as unknown as EventStore;
  const projector = { includes: async () => ({ behind: [] }) } as unknown as Projector;
  const streams = new Streams(store, projector, { now: () => Instant.ofMillis(0) } as Clock, { seal: async () => undefined });
  const server = fastify();
  server.decorateRequest('requestId', 'r');
  server.addHook('onRequest', (_, __, done) => RequestContext.run(RequestContext.background(), done));
  limitAnswers(server, limit);
  server.post<{ Params: { slow: string } }>('/:slow', async ({ params: { slow } }, reply) => {
    if (slow === 'sleep') {
      happens.emit('asleep');
      await once(happens, 'go on');
    }
    await streams.execute(decider, `bot-${slow}`, null).catch((error: unknown) => problem(reply, error));
    happens.emit('done');
    // This handler never answers; only the time limit does.
    await new Promise(() => undefined);
  });
  const post = async (path: string) => (await server.inject({ method: 'POST', url: path })).json<{ code: string; detail: string }>();
  return { appended, happens, post };
}

describe('a request that exceeds the time limit', () => {
  it('is answered with the statement that nothing was changed, and nothing is appended afterwards', async () => {
    const { appended, happens, post } = slowServer(60);
    const asleep = once(happens, 'asleep');
    expect(await post('/sleep')).toMatchObject({ code: 'answer_timeout' });
    await asleep;
    const done = once(happens, 'done');
    happens.emit('go on');
    await done;
    expect(appended).toEqual([]);
  });

  it('waits for an append in progress, and is answered with the statement that the change was recorded', async () => {
    // The append begins within a few turns of the event loop: long before the limit, even on a busy machine.
    const { appended, happens, post } = slowServer(500);
    const appending = once(happens, 'appending');
    const answer = post('/append');
    await appending;
    setTimeout(() => happens.emit('go on'), 600);
    expect(await answer).toMatchObject({ code: 'recorded_not_visible', detail: expect.stringContaining('(append)') });
    expect(appended).toEqual(['bot-append']);
  });
});
