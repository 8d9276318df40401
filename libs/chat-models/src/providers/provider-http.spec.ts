import { EventEmitter, once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { UnrulyProvider } from '../../test/unruly-provider.ts';
import { MOST_EVENT_BYTES, MOST_WHOLE_BYTES } from './answer-limits.ts';
import { ProviderHttp, streamOf } from './provider-http.ts';

/** An answer whose events the test emits. */
class Answer extends EventEmitter {
  isDestroyed = false;
  isPaused = false;
  constructor(readonly headers: Record<string, string> = { 'content-type': 'text/event-stream' }) {
    super();
  }
  pause = () => void (this.isPaused = true);
  resume = () => void (this.isPaused = false);
  destroy = () => void (this.isDestroyed = true);
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

const reading = (answer: Answer) => streamOf(answer as unknown as IncomingMessage).getReader();

describe('the body of an answer', () => {
  it('is read only as fast as it is consumed', async () => {
    const answer = new Answer();
    const reader = reading(answer);
    const first = reader.read();
    answer.emit('data', Buffer.from('one'));
    expect(Buffer.from((await first).value!).toString()).toBe('one');
    answer.emit('data', Buffer.from('two'));
    await turn();
    expect(answer.isPaused).toBe(true);
    await reader.read();
    void reader.read();
    expect(answer.isPaused).toBe(false);
  });
  it.each(['end', 'close', 'error', 'data'])('ignores the event %s after its reader has left', async (event) => {
    const answer = new Answer();
    await reading(answer).cancel();
    expect(() => answer.emit(event, event === 'data' ? Buffer.from('x') : new Error('aborted'))).not.toThrow();
    expect(answer.isDestroyed).toBe(true);
  });
  it('delivers the pieces of one read together, even before its end', async () => {
    const answer = new Answer();
    const reader = reading(answer);
    const event = (text: string) => Buffer.from(`data: {"choices":[{"delta":{"content":"${text}"}}]}\n\n`);
    for (const text of ['One', ' two', ' three']) answer.emit('data', event(text));
    answer.emit('end');
    expect(Buffer.from((await reader.read()).value!)).toEqual(event('One two three'));
    expect((await reader.read()).done).toBe(true);
  });
  it('fails if the connection is closed before its end', async () => {
    const answer = new Answer();
    const read = reading(answer).read();
    answer.emit('close');
    await expect(read).rejects.toThrow('closed');
  });
  it.each([
    ['text/event-stream', MOST_EVENT_BYTES],
    ['application/json', MOST_WHOLE_BYTES],
  ])('fails past the limit for its type (%s)', async (type, most) => {
    const answer = new Answer({ 'content-type': type });
    const reader = reading(answer);
    answer.emit('data', Buffer.alloc(most, 'x'));
    expect((await reader.read()).value?.byteLength).toBe(most);
    answer.emit('data', Buffer.from('x'));
    await expect(reader.read()).rejects.toThrow();
    expect(answer.isDestroyed).toBe(true);
  });
});

describe('connections to a provider', () => {
  let provider: UnrulyProvider;
  beforeAll(async () => void (provider = await UnrulyProvider.open()));
  afterAll(() => provider.close());

  it('are reused', async () => {
    const http = new ProviderHttp(provider.url);
    const ports = new Set<string>();
    for (let call = 0; call < 5; call++) {
      const answer = await http.fetch(`${provider.url}/chat/completions`, { headers: {}, body: '{}' });
      await answer.text();
      ports.add(provider.calls.at(-1)!.port);
      await turn();
    }
    http.close();
    expect(ports.size).toBe(1);
  });
  it('ask for answers that are not compressed', async () => {
    const http = new ProviderHttp(provider.url);
    const body = [Buffer.from('{}')];
    const headers = { 'content-length': '2', 'content-type': 'application/json' };
    (await http.pass(`${provider.url}/chat/completions`, { headers, body, signal: new AbortController().signal })).resume();
    await (await http.fetch(`${provider.url}/chat/completions`, { headers: {}, body: '{}' })).text();
    expect(provider.calls.slice(-2).map(({ headers: its }) => its['accept-encoding'])).toEqual(['identity', 'identity']);
    http.close();
  });
  it('that switch to another protocol have failed', async () => {
    const server = createServer((socket) => {
      socket.once('data', () => socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n'));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const http = new ProviderHttp(url);
    const headers = { 'content-length': '2' };
    await expect(http.pass(url, { headers, body: [Buffer.from('{}')], signal: new AbortController().signal })).rejects.toThrow('closed');
    http.close();
    server.close();
  });
});
