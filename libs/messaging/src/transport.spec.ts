import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Ctx, EventPattern, MessagePattern, Payload, RpcException } from '@nestjs/microservices';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { kafka, missing, patience } from '@parlance/testing';
import { EMPTY, of, throwError } from 'rxjs';
import type { Broker, CloudEvent, Delivery, SubscribeOptions } from './broker.ts';
import { connectBroker } from './connect-broker.ts';
import { contractRetry } from '../test/contract/contract.ts';
import { EmbeddedHarnesses } from '../test/contract/embedded-harness.ts';
import { eventOf, eventually, fresh, publish } from '../test/contract/harness.ts';
import { openKafkaBroker } from './kafka/kafka-broker.ts';
import { NewerEvents } from './newer-events.ts';
import { BrokerTransport, DeliveryContext, topicOf } from './transport.ts';

const topic = 'parlance.counting';
const seen: [handler: string, id: string, attempt: number][] = [];
const context = new AsyncLocalStorage<string>();
const note = (handler: string, event: CloudEvent, ctx: DeliveryContext) => void seen.push([handler, event.id, ctx.attempt]);

@Controller()
class CountingController {
  @EventPattern<string>('parlance.counting.started.v1')
  first(@Payload() event: CloudEvent, @Ctx() ctx: DeliveryContext) {
    note(`first in ${context.getStore()} at ${ctx.topic}`, event, ctx);
    return EMPTY;
  }

  @EventPattern<string>('parlance.counting.started.v1')
  async second(@Payload() event: CloudEvent, @Ctx() ctx: DeliveryContext) {
    await new Promise((resolve) => setImmediate(resolve));
    note('second', event, ctx);
    if (ctx.attempt === 1) throw new Error('not yet');
  }

  @EventPattern<string>('parlance.counting.failed-async.v1')
  async rejects() {
    throw new TypeError('rejected');
  }

  @EventPattern<string>('parlance.counting.failed-sync.v1')
  throws() {
    throw new RpcException('thrown');
  }

  @EventPattern<string>('parlance.counting.failed-stream.v1')
  errs() {
    return throwError(() => new Error('in the stream'));
  }

  @EventPattern<string>('parlance.counting.ended.v1')
  streams(@Payload() event: CloudEvent, @Ctx() ctx: DeliveryContext) {
    note('ended', event, ctx);
    return of(1, 2);
  }
}

@Module({ controllers: [CountingController] })
class CountingModule {}

const typed = (type: string, key = type) => ({ topic, key, event: { ...eventOf(topic, key, 0), id: type, type: `${topic}.${type}.v1` } });

const make = () => NestFactory.create(CountingModule, new FastifyAdapter(), { logger: false });

async function start(broker: Broker, group: string) {
  const app = await make();
  connectBroker(app, { broker, group, around: (_: Delivery, next) => context.run('a context', next) });
  await app.startAllMicroservices();
  return app;
}

/** A broker that leaves out no types, like Kafka: a group gets the events that only newer releases know. */
function withAllTypes(broker: Broker): Broker {
  const subscribe = ({ types: _, ...options }: SubscribeOptions) => broker.subscribe(options);
  return Object.assign(Object.create(broker) as Broker, { subscribe });
}

function behaviour(open: () => Promise<Broker>) {
  it('passes a delivery to all handlers of its type, retries it when one fails, and sets it aside after the last attempt', async () => {
    seen.length = 0;
    const [broker, group] = [await open(), fresh('group')];
    const app = await start(broker, group);
    const failing = ['failed-async', 'failed-sync', 'failed-stream'];
    await publish(
      broker,
      ['started', ...failing, 'unheard-of', 'ended'].map((type) => typed(type, 'one key')),
    );
    await eventually(patience(60_000), () => expect(seen.some(([handler]) => handler === 'ended')).toBe(true));
    await app.close();
    expect(seen).toEqual([
      ['first in a context at parlance.counting', 'started', 1],
      ['second', 'started', 1],
      ['first in a context at parlance.counting', 'started', 2],
      ['second', 'started', 2],
      ['ended', 'ended', 1],
    ]);
    const letters = await broker.deadLetters(group, 10);
    expect(letters.map(({ event, reason }) => [event.id, reason])).toEqual([
      ['failed-async', 'TypeError: rejected'],
      ['failed-sync', 'Error: thrown'],
      ['failed-stream', 'Error: in the stream'],
    ]);
    expect((await broker.lag(group)).reduce((sum, { behind }) => sum + behind, 0)).toBe(0);
  });
}

describe('the Nest transport on the embedded broker', () => {
  const harnesses = new EmbeddedHarnesses();
  afterEach(() => harnesses.close());

  behaviour(async () => (await harnesses.open()).broker);

  it('also handles failures with a plain connectMicroservice, although Nest hides the reason', async () => {
    const { broker } = await harnesses.open();
    const app = await make();
    app.connectMicroservice({ strategy: new BrokerTransport({ broker, group: 'group' }) });
    await app.startAllMicroservices();
    await publish(broker, [typed('failed-async')]);
    await eventually(patience(60_000), async () => expect(await broker.deadLetters('group', 1)).toHaveLength(1));
    expect((await broker.deadLetters('group', 1))[0]?.reason).toBe('Internal server error');
    await app.close();
  });

  it('keeps events of a newer release, and the events after them, for the process that replaces it', async () => {
    seen.length = 0;
    const { broker } = await harnesses.open();
    const checked: string[] = [];
    const newer = new NewerEvents((type) => !checked.push(type));
    const old = await make();
    connectBroker(old, { broker: withAllTypes(broker), group: 'group', newer });
    await old.startAllMicroservices();
    await publish(
      broker,
      ['unheard-of', 'ended'].map((type) => typed(type, 'one key')),
    );
    await eventually(patience(60_000), () => expect(checked.length).toBeGreaterThan(1));
    await old.close();
    expect([new Set(checked), seen, await broker.deadLetters('group', 1)]).toEqual([new Set(['parlance.counting.unheard-of.v1']), [], []]);
    const replacement = await start(broker, 'group');
    await eventually(patience(60_000), () => expect(seen).toEqual([['ended', 'ended', 1]]));
    await replacement.close();
  });

  it('sets events of a newer release aside at once if no newer process has replaced this one', async () => {
    seen.length = 0;
    const { broker } = await harnesses.open();
    let now = 0;
    const newer = new NewerEvents(
      () => false,
      undefined,
      () => (now += 300_000),
    );
    const old = await make();
    connectBroker(old, { broker: withAllTypes(broker), group: 'group', newer });
    await old.startAllMicroservices();
    await publish(
      broker,
      ['unheard-of', 'ended'].map((type) => typed(type, 'one key')),
    );
    await eventually(patience(60_000), () => expect(seen).toEqual([['ended', 'ended', 1]]));
    const letters = await broker.deadLetters('group', 10);
    expect(letters.map(({ event, reason }) => [event.type, reason])).toEqual([
      [
        'parlance.counting.unheard-of.v1',
        expect.stringContaining('is an event of a newer release. Redrive it when this service is updated.'),
      ],
    ]);
    await old.close();
  });

  it('fails the start when the broker does', async () => {
    const { broker } = await harnesses.open();
    const failing = Object.assign(Object.create(broker) as Broker, { subscribe: () => Promise.reject(new Error('no broker')) });
    await expect(start(failing, 'group')).rejects.toThrow('no broker');
  });

  it('refuses patterns that no event can have', async () => {
    @Controller()
    class Asking {
      @MessagePattern('parlance.counting.asked.v1')
      ask() {
        return 1;
      }
    }
    @Module({ controllers: [Asking] })
    class AskingModule {}
    const { broker } = await harnesses.open();
    const app = await NestFactory.create(AskingModule, new FastifyAdapter(), { logger: false, abortOnError: false });
    const strategy = new BrokerTransport({ broker, group: 'group' });
    expect(() => app.connectMicroservice({ strategy })).toThrow('use @EventPattern');
    await app.close();
  });
});

const describeKafka = missing('kafka') ? describe.skip : describe;
describeKafka('the Nest transport on Kafka', () => {
  let server: Awaited<ReturnType<typeof kafka>>;
  let broker: Broker | undefined;
  beforeAll(async () => {
    server = await kafka();
  });
  afterAll(async () => {
    await broker?.close();
    await server?.stop();
  });

  behaviour(async () => {
    broker = await openKafkaBroker({
      brokers: server.brokers,
      clientId: 'spec',
      partitions: 2,
      retry: contractRetry,
      consumer: { maxWaitTimeInMs: 30 },
    });
    return broker;
  });
});

describe('topicOf', () => {
  it('is the service that publishes the event', () => expect(topicOf('parlance.bots.bot-created.v1')).toBe('parlance.bots'));
  for (const type of [
    'bots.bot-created.v1',
    'parlance.bots.v1',
    'parlance.bots.bot-created',
    'parlance.bots.bot-created.v0',
    'parlance.Bots.x.v1',
  ]) {
    it(`refuses ${type}`, () => expect(() => topicOf(type)).toThrow(RangeError));
  }
});
