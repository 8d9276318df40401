import { equal } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Broker, CloudEvent, Delivery, Outgoing, RetryPolicy } from '../../src/broker.ts';

/** A broker under test, opened with `contractRetry`, and the faults that a case needs. */
export interface BrokerHarness {
  readonly broker: Broker;
  /** Drops the events that a topic holds now, as its retention does. A case may call it once. */
  trim(topic: string): Promise<void>;
  /** Ends the broker as a crash does (it no longer commits or sends) and gives another over the same state. */
  crash(): Promise<Broker>;
  /** How long something may take before a case calls it lost. */
  readonly patienceMs: number;
}

/** One promise of the contract: rejects when it is broken. */
export interface Case<Harness> {
  readonly name: string;
  run(harness: Harness): Promise<void>;
}

/** The policy that brokers under test are opened with. */
export const contractRetry: RetryPolicy = { attempts: 3, firstDelayMs: 5, maxDelayMs: 20 };

/** A unique name, because cases may share a server. */
export function fresh(what: string): string {
  return `${what}.${randomUUID().slice(0, 8)}`;
}

export function outgoing(topic: string, key: string, n: number): Outgoing {
  return { topic, key, event: eventOf(topic, key, n) };
}

export function eventOf(topic: string, key: string, n: number): CloudEvent<{ n: number }> {
  return {
    specversion: '1.0',
    id: `${key}-${n}`,
    source: `/${topic}`,
    type: `${topic}.counted.v1`,
    subject: key,
    time: '2026-01-01T00:00:00.000Z',
    datacontenttype: 'application/json',
    data: { n },
    sequence: String(n),
  };
}

export async function publish(broker: Broker, messages: readonly Outgoing[]): Promise<void> {
  const publisher = await broker.publisher(fresh('publisher'));
  await publisher.send(messages);
  await publisher.close();
}

/**
 * Resolves when another group of the broker has handled and committed an event that is sent now. What a broken broker delivers or commits too
 * early has been delivered or committed by then.
 */
export async function roundTrip(broker: Broker, patienceMs: number): Promise<void> {
  const [topic, group] = [fresh('topic'), fresh('group')];
  const recorder = new Recorder(patienceMs);
  const subscription = await broker.subscribe({ group, topics: [topic], handle: recorder.handle });
  await publish(broker, [outgoing(topic, 'k', 0)]);
  await recorder.got(['k-0']);
  // Brokers commit by timers, and this group's timer is the later one.
  await eventually(patienceMs, async () => {
    for (const { behind } of await broker.lag(group)) equal(behind, 0);
  });
  await subscription.stop();
}

/** Repeats a check until it passes. Throws the error of the last check. */
export async function eventually(patienceMs: number, look: () => unknown): Promise<void> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    try {
      await look();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(10);
    }
  }
}

/** A handler that records its deliveries. `act` is called with each of them and may reject or hang. */
export class Recorder {
  readonly deliveries: Delivery[] = [];
  readonly batches: (readonly Delivery[])[] = [];
  readonly #patienceMs: number;
  readonly #act: (delivery: Delivery) => Promise<void> | void;
  #changed = Promise.withResolvers<void>();

  constructor(patienceMs: number, act: (delivery: Delivery) => Promise<void> | void = () => undefined) {
    this.#patienceMs = patienceMs;
    this.#act = act;
  }

  readonly handle = async (deliveries: readonly Delivery[]): Promise<void> => {
    this.batches.push(deliveries);
    this.deliveries.push(...deliveries);
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
    for (const delivery of deliveries) await this.#act(delivery);
  };

  get ids(): string[] {
    return this.deliveries.map(({ event }) => event.id);
  }

  /** Resolves once every one of these ids was delivered. */
  async got(ids: Iterable<string>): Promise<void> {
    const wanted = new Set(ids);
    await this.until(
      () => {
        for (const id of this.ids) wanted.delete(id);
        return wanted.size === 0;
      },
      () => `never delivered: ${[...wanted].slice(0, 5).join(', ')}`,
    );
  }

  async until(holds: () => boolean, complaint: () => string): Promise<void> {
    const deadline = Date.now() + this.#patienceMs;
    while (!holds()) {
      const left = deadline - Date.now();
      if (left <= 0) throw new Error(`${complaint()} (of ${this.deliveries.length} deliveries)`);
      const giveUp = new AbortController();
      await Promise.race([this.#changed.promise, sleep(left, undefined, { signal: giveUp.signal }).catch(() => undefined)]);
      giveUp.abort();
    }
  }
}
