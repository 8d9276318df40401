import { EventEmitter, once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { promisify } from 'node:util';
import { describe, expect, it, jest } from '@jest/globals';
import { Controller, Get, Module, Param } from '@nestjs/common';
import { RequestContext } from '@parlance/observability';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Refusal, refuse } from '@parlance/decider';
import fc from 'fast-check';
import { Open } from '../access/access.ts';
import { createHttpApplication } from '../application.ts';
import { statements } from '../../test/things.ts';
import { AnswerMemory, answerMemoryOf } from './answer-memory.ts';
import { HeldBytes } from './held-bytes.ts';
import { LargeAnswer } from './large-answer.ts';

const [KIB, MIB] = [1024, 1024 * 1024];
const MOST = 64 * MIB;
const WANTED = 2 * MIB;

function memoryWith(most = MOST) {
  const held = new HeldBytes(most);
  const memory = new AnswerMemory(held);
  const as = <Result>(userId: string, work: () => Result): Result =>
    RequestContext.run({ caller: { userId, kind: 'user' } } as unknown as RequestContext, work);
  const response = () => Object.assign(new EventEmitter(), { setTimeout: () => undefined }) as unknown as ServerResponse;
  return {
    held,
    memory,
    as,
    response,
    /** Makes a page for this user that nobody reads, and returns its bytes and response; null if the page is refused. */
    async page(userId: string) {
      const raw = response();
      try {
        const bytes = await as(userId, () => memory.ofPage({ raw } as FastifyReply, WANTED));
        as(userId, () => memory.take(raw, bytes, true));
        return { raw, bytes };
      } catch {
        return null;
      }
    },
    take: (userId: string, raw: ServerResponse, bytes: number, mayBeRefused = true) =>
      as(userId, () => memory.take(raw, bytes, mayBeRefused)),
  };
}

/** Pages that clients without a user ask for, and what becomes of each request. */
function askingByAddress() {
  const { memory, as, response } = memoryWith();
  const from =
    (ip: string) =>
    <Result>(work: () => Result) =>
      RequestContext.run({ caller: null, ip } as RequestContext, work);
  const asked = (run: (work: () => Promise<number>) => Promise<number>) => {
    const raw = response();
    const state = { raw, is: 'waiting' };
    run(() => memory.ofPage({ raw } as FastifyReply, WANTED)).then(
      () => (state.is = 'made'),
      ({ code }: Refusal) => (state.is = code),
    );
    return state;
  };
  return { as, asked, from };
}

/** Does what Node does when the connection of a response closes. */
function leave(raw: ServerResponse): void {
  Object.assign(raw, { destroyed: true });
  raw.emit('close');
}

describe('the answer memory', () => {
  it('is shared by all applications with the same byte account', () => {
    const held = new HeldBytes(MOST);
    expect(answerMemoryOf(held)).toBe(answerMemoryOf(held));
    expect(answerMemoryOf(new HeldBytes(MOST))).not.toBe(answerMemoryOf(held));
  });

  it('gives a client that reads nothing shorter and shorter pages, then refuses it, while others get full pages', async () => {
    const { page } = memoryWith();
    const lengths: number[] = [];
    for (let n = 0; n < 40; n++) lengths.push((await page('ann'))?.bytes ?? 0);
    expect(lengths[0]).toBe(1.5 * MIB);
    expect(lengths).toEqual(lengths.toSorted((a, b) => b - a));
    expect(lengths.filter((length) => length === 32 * KIB).length).toBeGreaterThanOrEqual(4);
    expect(lengths.at(-1)).toBe(0);
    expect((await page('ben'))!.bytes).toBeGreaterThan(MIB);
  });

  it('still has a page for the next client when fifty clients take as many pages as they can and read none', async () => {
    const { page, held } = memoryWith();
    for (let n = 0; n < 100; n++) for (let client = 0; client < 50; client++) await page(`client ${client}`);
    expect(held.all).toBeLessThanOrEqual(MOST);
    expect((await page('ann'))!.bytes).toBeGreaterThanOrEqual(32 * KIB);
  });

  it('is empty again after any sequence of answers when their connections are closed', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(9), fc.nat(3 * MIB), fc.boolean())), async (requests) => {
        const { page, take, held, response } = memoryWith(8 * MIB);
        const open: ServerResponse[] = [];
        for (const [client, bytes, isPage] of requests) {
          const made = isPage ? await page(`client ${client}`) : null;
          const raw = made?.raw ?? response();
          open.push(raw);
          try {
            take(`client ${client}`, raw, bytes);
          } catch {
            // The request is refused.
          }
          expect(held.all).toBeLessThanOrEqual(8 * MIB);
          if (open.length > 5) open.shift()!.emit('close');
        }
        for (const raw of open) raw.emit('close');
        expect([held.all, held.of('client 0')]).toEqual([0, 0]);
      }),
    ));

  it('makes four pages at a time, and next serves the waiting client with the fewest recent pages', async () => {
    const { memory, as, response } = memoryWith();
    const order: string[] = [];
    const making = (userId: string) => {
      const raw = response();
      const page = as(userId, () => memory.ofPage({ raw } as FastifyReply, WANTED)).then(
        () => void order.push(userId),
        () => void order.push(`${userId} refused`),
      );
      return { raw, page };
    };
    const greedy = Array.from({ length: 40 }, () => making('eve'));
    const ann = making('ann');
    await new Promise(setImmediate);
    expect(order.toSorted()).toEqual([...Array(4).fill('eve refused'), ...Array(4).fill('eve')].toSorted());
    as('eve', () => memory.take(greedy[0]!.raw, MIB, true));
    await ann.page;
    expect(order.at(-1)).toBe('ann');
  });

  it('starts no further page, and frees nothing, while pages for clients that have disconnected are still being made', async () => {
    const { memory, as, response, take, held } = memoryWith();
    const started: ServerResponse[] = [];
    const ask = () => {
      const raw = response();
      const done = as('eve', () => memory.ofPage({ raw } as FastifyReply, WANTED)).then(
        () => void started.push(raw),
        () => undefined,
      );
      return { raw, done };
    };
    const pages = Array.from({ length: 12 }, ask);
    await new Promise(setImmediate);
    for (const { raw } of pages) leave(raw);
    await Promise.all(pages.map(({ done }) => done));
    const inTheMaking = held.of('eve');
    const next = ask();
    await new Promise(setImmediate);
    expect(started).toHaveLength(4);
    expect(held.of('eve')).toBe(inTheMaking);
    for (const { raw } of pages.slice(0, 4)) take('eve', raw, MIB);
    await next.done;
    expect(started).toHaveLength(5);
    leave(next.raw);
    memory.made(next.raw);
    expect(held.all).toBe(0);
  });

  it('drops a waiting request whose client disconnects, and frees its slot', async () => {
    const { memory, as, response } = memoryWith();
    const askPage = (userId: string) => {
      const raw = response();
      return { raw, memory: as(userId, () => memory.ofPage({ raw } as FastifyReply, WANTED)).catch(({ code }: Refusal) => code) };
    };
    const made = Array.from({ length: 4 }, () => askPage('eve'));
    const disconnected = Array.from({ length: 32 }, () => askPage('eve'));
    expect(await askPage('eve').memory).toBe('busy');
    for (const { raw } of disconnected) leave(raw);
    expect(await Promise.all(disconnected.map((each) => each.memory))).toEqual(disconnected.map(() => 'busy'));
    const next = askPage('eve');
    for (const { raw } of made) as('eve', () => memory.take(raw, 32 * KIB, true));
    expect(await next.memory).toBeGreaterThan(256 * KIB);
  });

  it('lets people behind one address wait in any number, and takes the last place of the client with the most when all are taken', async () => {
    const { as, asked, from } = askingByAddress();
    const office = Array.from({ length: 4 + 512 }, () => asked(from('192.0.2.1')));
    await new Promise(setImmediate);
    expect(office.filter(({ is }) => is === 'waiting')).toHaveLength(512);
    const others = [asked((work) => as('ann', work)), asked(from('192.0.2.2'))];
    const further = asked(from('192.0.2.1'));
    await new Promise(setImmediate);
    expect(others.map(({ is }) => is)).toEqual(['waiting', 'waiting']);
    expect(office.slice(-3).map(({ is }) => is)).toEqual(['waiting', 'busy', 'busy']);
    expect(further.is).toBe('busy');
  });

  it('has all places again after the requests that waited have left', async () => {
    const { asked, from } = askingByAddress();
    const office = Array.from({ length: 4 + 512 }, () => asked(from('192.0.2.1')));
    await new Promise(setImmediate);
    for (const { raw, is } of office) if (is === 'waiting') leave(raw);
    const further = Array.from({ length: 512 + 1 }, () => asked(from('192.0.2.1')));
    await new Promise(setImmediate);
    expect(further.filter(({ is }) => is === 'waiting')).toHaveLength(512);
  });

  it('takes no place for a client that would then have more than the one that loses it', async () => {
    const { asked, from } = askingByAddress();
    for (const [count, ip] of [
      [4, '192.0.2.1'],
      [255, '192.0.2.2'],
      [1, '192.0.2.3'],
    ] as const)
      for (let n = 0; n < count; n++) asked(from(ip));
    const most = Array.from({ length: 256 }, () => asked(from('192.0.2.4')));
    const another = asked(from('192.0.2.2'));
    await new Promise(setImmediate);
    expect(another.is).toBe('busy');
    expect(most.map(({ is }) => is)).toEqual(Array(256).fill('waiting'));
    const few = asked(from('192.0.2.3'));
    await new Promise(setImmediate);
    expect([few.is, most.at(-1)!.is]).toEqual(['waiting', 'busy']);
  });

  it('gives each answer only one turn', async () => {
    const { memory, as, response, page } = memoryWith();
    const raw = response();
    await as('ann', () => memory.ofPage({ raw } as FastifyReply, WANTED));
    await expect(as('ann', () => memory.ofPage({ raw } as FastifyReply, WANTED))).rejects.toThrow('one turn');
    raw.emit('close');
    for (let n = 0; n < 8; n++) expect(await page('ann')).not.toBeNull();
  });

  it('counts nothing for a client that disconnects while its answer is made', async () => {
    const { memory, as, response, take, held } = memoryWith();
    const [page, plain] = [response(), response()];
    await as('ann', () => memory.ofPage({ raw: page } as FastifyReply, WANTED));
    for (const raw of [page, plain]) {
      leave(raw);
      take('ann', raw, MIB);
    }
    expect(held.all).toBe(0);
    expect(await as('ann', () => memory.ofPage({ raw: response() } as FastifyReply, WANTED))).toBe(1.5 * MIB);
  });
});

describe('an answer that its client has not read', () => {
  it('is counted if it is long, and refused if too little memory is left, unless the request changed something', () => {
    const { take, response, held } = memoryWith(16 * MIB);
    const busy = expect.objectContaining({ code: 'busy', kind: 'unavailable' });
    take('ann', response(), 32 * KIB);
    expect(held.all).toBe(0);
    const long = response();
    take('ann', long, 4 * MIB);
    expect(held.of('ann')).toBe(4 * MIB);
    expect(() => take('ann', response(), 33 * KIB)).toThrow(busy);
    for (const other of ['ben', 'cid', 'dan']) take(other, response(), 4 * MIB);
    expect(() => take('eve', response(), 33 * KIB)).toThrow(busy);
    long.emit('close');
    // Only up to three quarters are counted: the rest is for bodies.
    take('eve', response(), 8 * MIB, false);
    expect([held.of('eve'), held.all]).toEqual([0, 12 * MIB]);
  });

  it('frees its turn when it is made or refused, even if its client is gone by then', async () => {
    const gate = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    let running = 0;
    @Controller('slow')
    class SlowController {
      @Open()
      @LargeAnswer()
      @Get(':how')
      async text(@Param('how') how: string) {
        if (++running === 4) begun.resolve();
        await gate.promise;
        if (how === 'refused') throw refuse('missing', 'not_here', 'There is no such text.');
        return how === 'empty' ? undefined : { text: 'x'.repeat(MIB) };
      }
    }
    @Module({ controllers: [SlowController] })
    class SlowModule {}
    const app = await createHttpApplication(SlowModule, { statements, logger: false, maxBuffered: 4 * MOST });
    await app.listen(0, '127.0.0.1');
    const { bodies } = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
    const server = app.getHttpServer() as Server;
    const { port } = server.address() as AddressInfo;
    try {
      const sockets = ['long', 'empty', 'refused', 'long'].map((how) => {
        const socket = connect(port, '127.0.0.1').on('error', () => undefined);
        socket.write(`GET /slow/${how} HTTP/1.1\r\nHost: x\r\n\r\n`);
        return socket;
      });
      await begun.promise;
      const gone = sockets.map((socket) => once(socket.destroy(), 'close'));
      await Promise.all(gone);
      while ((await promisify(server.getConnections.bind(server))()) > 0) await new Promise(setImmediate);
      gate.resolve();
      for (let n = 0; n < 5; n++) expect((await fetch(`http://127.0.0.1:${port}/slow/long`)).status).toBe(200);
      await app.close();
      expect(bodies.bytesHeld).toBe(0);
    } finally {
      await app.close();
    }
  });

  it('ends when its client reads nothing for ten seconds', async () => {
    @Controller('long')
    class LongController {
      @Open()
      @Get()
      text() {
        return { text: 'x'.repeat(32 * MIB) };
      }
    }
    @Module({ controllers: [LongController] })
    class LongModule {}
    const app = await createHttpApplication(LongModule, { statements, logger: false, maxBuffered: 4 * MOST });
    await app.listen(0, '127.0.0.1');
    const { bodies } = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
    const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
    try {
      const late = jest.spyOn(await import('node:http').then(({ ServerResponse: Response }) => Response.prototype), 'setTimeout');
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      socket.write('GET /long HTTP/1.1\r\nHost: x\r\n\r\n');
      await once(socket, 'data');
      socket.pause();
      expect(bodies.bytesHeld).toBeGreaterThan(32 * MIB);
      const [millis, end] = late.mock.calls.at(-1)!;
      expect(millis).toBe(10_000);
      // Node calls this function after ten seconds in which the client has read no byte.
      end!();
      await once(socket.resume(), 'close');
      expect(bodies.bytesHeld).toBe(0);
    } finally {
      jest.restoreAllMocks();
      await app.close();
    }
  });
});
