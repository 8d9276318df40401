import { EventEmitter } from 'node:events';
import { expect, it } from '@jest/globals';
import type { ShutdownPlan } from '@parlance/observability';
import type { FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import { EventStreams, type SentEvent } from './event-streams.ts';

/** A client that reads only when the test makes it read. */
class SlowClient extends EventEmitter {
  destroyed = false;
  written = 0;
  patience = 0;
  writeHead(): void {}
  flushHeaders(): void {}
  end(): void {}
  setTimeout(millis: number, leave?: () => void): void {
    this.patience = millis;
    if (leave) this.on('timeout', leave);
  }
  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }
  write(): boolean {
    this.written++;
    return false;
  }
}

function sending(most: number, { hasLeft = false } = {}) {
  const produced = { events: 0 };
  async function* events(reader: AbortSignal): AsyncGenerator<SentEvent> {
    while (produced.events < most && !reader.aborted) {
      produced.events++;
      yield { id: 'i', event: 'delta', data: { text: 'x' } };
    }
  }
  const client = new SlowClient();
  client.destroyed = hasLeft;
  const reply = { raw: client, hijack: () => undefined, getHeaders: () => ({}) } as unknown as FastifyReply;
  const sent = new EventStreams({ stop: () => undefined } as unknown as ShutdownPlan, {} as Logger, 'inference').send(reply, events);
  return { client, produced, sent };
}

const settled = async () => {
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
};

it('makes the next event only when the client has read the previous one', async () => {
  const { client, produced, sent } = sending(3);
  for (let read = 1; read <= 3; read++) {
    await settled();
    expect([produced.events, client.written, client.patience]).toEqual([read, read, 10_000]);
    client.emit('drain');
  }
  await sent;
  expect(client.patience).toBe(0);
});

it('ends when the client has read nothing for ten seconds', async () => {
  const { client, produced, sent } = sending(3);
  await settled();
  client.emit('timeout');
  await sent;
  expect([client.destroyed, produced.events]).toEqual([true, 1]);
});

it('makes no event for a client that left before the stream began', async () => {
  const { client, produced, sent } = sending(3, { hasLeft: true });
  await settled();
  // Ends the stream in any case.
  client.emit('close');
  await sent;
  expect(produced.events).toBe(0);
});
