import type { RequestListener, ServerResponse } from 'node:http';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { CONTINUE_AT_HEADER, CONTINUES_HEADER } from '@parlance/http';
import { cleanUp, edgeWith, replica } from './replicas.contract.ts';

beforeAll(() => Logger.overrideLogger(false));
afterEach(cleanUp);

describe('a stream of events that another replica can continue', () => {
  const event = (id: number, name: string) => `id: ${id}\nevent: ${name}\ndata: {}\n\n`;
  /** A service with two replicas, of which the first to be asked sends these texts and is then lost. */
  async function lostAfter(
    texts: readonly string[],
    lose: (response: ServerResponse) => void,
    rest: readonly string[],
    init?: RequestInit,
  ) {
    const asked: { path: string; after: unknown; method: unknown }[] = [];
    let losing: unknown = null;
    const answer: RequestListener = (request, response) => {
      if (request.url === '/health/live') return void (losing === request.socket.localPort ? undefined : response.end());
      asked.push({ path: request.url!, after: request.headers['last-event-id'], method: request.method });
      response.writeHead(200, {
        'content-type': 'text/event-stream',
        ...(request.headers[CONTINUES_HEADER] && { [CONTINUE_AT_HEADER]: '/conversation/c/m/stream' }),
      });
      if (asked.length > 1) return void response.end(rest[asked.length - 2] ?? '');
      losing = request.socket.localPort;
      for (const part of texts) response.write(part);
      setImmediate(() => lose(response));
    };
    const [one, two] = [await replica(answer), await replica(answer)];
    const ask = await edgeWith({ silentAfter: 50, givenUpAfter: 0 }, one.address, two.address);
    const post = { method: 'POST', headers: { accept: 'text/event-stream', 'content-type': 'application/json' }, body: '{}' };
    const sent = await ask(init ?? post);
    return { sent, asked };
  }
  const dies = (response: ServerResponse) => void response.socket?.destroy();

  it('goes on after its last complete event when its replica dies', async () => {
    const { sent, asked } = await lostAfter([event(1, 'start'), ':\n\n', `${event(2, 'delta')}id: 3\nevent: de`], dies, [event(3, 'done')]);
    expect(await sent.text()).toBe(`${event(1, 'start')}:\n\n${event(2, 'delta')}${event(3, 'done')}`);
    expect(asked.slice(1)).toEqual([{ path: '/conversation/c/m/stream', after: '2', method: 'GET' }]);
    expect(sent.headers.get(CONTINUE_AT_HEADER)).toBeNull();
  });
  it('goes on after the event that its client had received before, if its replica dies before the next one', async () => {
    const { sent, asked } = await lostAfter([':\n\n'], dies, [event(8, 'done')], { headers: { 'last-event-id': '7' } });
    expect(await sent.text()).toBe(`:\n\n${event(8, 'done')}`);
    expect(asked.map(({ after }) => after)).toEqual(['7', '7']);
  });
  it('goes on when its replica freezes', async () => {
    const { sent } = await lostAfter([event(1, 'start')], () => undefined, [event(2, 'done')]);
    expect(await sent.text()).toBe(`${event(1, 'start')}${event(2, 'done')}`);
  });
  it('goes on when its replica ends it before its last event, but not in vain for ever', async () => {
    const ends = (response: ServerResponse) => void response.end();
    const { sent, asked } = await lostAfter([event(1, 'start')], ends, ['', event(2, 'delta')]);
    expect(await sent.text()).toBe(`${event(1, 'start')}${event(2, 'delta')}`);
    expect(asked.map(({ after }) => after)).toEqual([undefined, '1', '1', '2', '2', '2']);
  });
  it.each(['done', 'error', 'approval'])('ends after the event %s', async (last) => {
    const { sent, asked } = await lostAfter([event(1, last)], (response) => void response.end(), []);
    expect([await sent.text(), asked.length]).toEqual([event(1, last), 1]);
  });
  it('breaks off if an event is too long to be held back', async () => {
    const { sent } = await lostAfter([event(1, 'start'), 'x'.repeat(2 * 1024 * 1024)], dies, [event(2, 'done')]);
    await expect(sent.text()).rejects.toThrow('terminated');
  });
});
