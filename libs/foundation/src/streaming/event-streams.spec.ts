import { EventEmitter } from 'node:events';
import { expect, it } from '@jest/globals';
import type { ShutdownPlan } from '@parlance/observability';
import type { FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import { EventStreams, type SentEvent } from './event-streams.ts';

/** A client that reads nothing until it is told to. */
class SlowClient extends EventEmitter {
  destroyed = false;
  written = 0;
  writeHead(): void {}
  flushHeaders(): void {}
  end(): void {}
  write(): boolean {
    this.written++;
    return false;
  }
}

it('makes the next event when the client has read the one before', async () => {
  let made = 0;
  async function* events(): AsyncGenerator<SentEvent> {
    while (made < 3) {
      made++;
      yield { id: 'i', event: 'delta', data: { text: 'x' } };
    }
  }
  const client = new SlowClient();
  const reply = { raw: client, hijack: () => undefined, getHeaders: () => ({}) } as unknown as FastifyReply;
  const sent = new EventStreams({ stop: () => undefined } as unknown as ShutdownPlan, {} as Logger, 'inference').send(reply, events);
  for (let read = 1; read <= 3; read++) {
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
    expect([made, client.written]).toEqual([read, read]);
    client.emit('drain');
  }
  await sent;
});
