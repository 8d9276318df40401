import { setImmediate } from 'node:timers/promises';
import type { SqliteFile } from '@parlance/sqlite';
import { patience } from '@parlance/testing';
import fc from 'fast-check';
import type { Delivery, Subscription } from '../src/broker.ts';
import { openEmbeddedBroker } from '../src/embedded/embedded-broker.ts';
import type { LogBroker } from '../src/log-broker.ts';
import { MemoryLog, Model, Mortal, type Step, type Stored, TYPES, WANTED } from './history-parts.ts';
import type { Outbox } from '../src/relay/outbox.ts';

/** Plays a history on a broker and on the model, and compares them when the broker is idle. Throws at a difference. */
class History {
  readonly #log = new MemoryLog();
  readonly #groups = WANTED.map((_, number) => new Model(number));
  readonly #deliveries = new Map<string, { readonly id: string; readonly key: string; readonly life: number; readonly offset: number }[]>();
  readonly #handled = new Map<string, Set<string>>();
  readonly #subscriptions = new Map<Model, Subscription>();
  readonly #stored = new Map<string, Stored>();
  #mortal!: Mortal;
  #broker!: LogBroker;
  #outbox!: Outbox;
  #life = 0;

  constructor(
    private readonly file: SqliteFile,
    private readonly source: string,
  ) {}

  async play(steps: readonly Step[]): Promise<void> {
    await this.#begin();
    for (const step of steps) {
      await this.#step(step);
      await this.#compare();
    }
    for (const group of this.#groups) {
      group.isHealed = true;
      await this.#join(group);
      await this.#redrive(group);
    }
    await this.#compare();
    this.#checkOrder();
    await this.#unlessKilled(this.#broker.close());
  }

  async #begin(): Promise<void> {
    this.#life += 1;
    this.#mortal = new Mortal(this.file);
    this.#subscriptions.clear();
    this.#broker = await openEmbeddedBroker(this.#mortal.file, { retry: { attempts: 2, firstDelayMs: 0, maxDelayMs: 0 } });
    // In either order: a policy may subscribe before its source has started.
    if (this.#life % 2 === 0) this.#outbox = await this.#broker.enter(this.#log.as(this.source));
    for (const group of this.#groups) if (group.isJoined) await this.#subscribe(group);
    if (this.#life % 2 === 1) this.#outbox = await this.#broker.enter(this.#log.as(this.source));
  }

  async #step(step: Step): Promise<void> {
    if (step.do === 'append') {
      const events = step.events.map((event, at): Stored => ({ ...event, id: `${this.#log.commits.length}.${at}`, key: `k${event.key}` }));
      for (const event of events) this.#stored.set(event.id, event);
      return this.#log.append(events);
    }
    if (step.do === 'kill') {
      this.#mortal.kill(step);
      return;
    }
    const group = this.#groups[step.group]!;
    if (step.do === 'heal') group.isHealed = true;
    if (step.do === 'join') await this.#join(group);
    if (step.do === 'leave' || step.do === 'raise') await this.#leave(group);
    if (step.do === 'raise') {
      // A raised version is another group, which begins with the oldest event.
      group.version += 1;
      group.handled.clear();
      group.parked.clear();
      group.isHealed = false;
      await this.#join(group);
    }
    if (step.do === 'redrive') await this.#redrive(group);
  }

  /** Resolves when the work is done, or the process dies of it. */
  async #unlessKilled(work: Promise<unknown>): Promise<void> {
    const state = { isDone: false };
    void work.finally(() => (state.isDone = true));
    while (!state.isDone && !this.#mortal.isDead) await setImmediate();
  }

  async #join(group: Model): Promise<void> {
    if (group.isJoined) return;
    group.isJoined = true;
    await this.#unlessKilled(this.#subscribe(group));
  }

  async #subscribe(group: Model): Promise<void> {
    const [name, life] = [group.name(this.source), this.#life];
    const topic = `parlance.${this.source}`;
    const types = WANTED[group.number]!.map((type) => `${topic}.${TYPES[type]}.v1`);
    const handle = async (deliveries: readonly Delivery[]) => {
      if (life !== this.#life || this.#mortal.isDead) return new Promise<void>(() => undefined);
      for (const { event, key, offset } of deliveries) {
        const list = this.#deliveries.get(name) ?? [];
        this.#deliveries.set(name, [...list, { id: event.id, key, life, offset: Number(offset) }]);
        if (!group.wants(this.#stored.get(event.id)!)) throw new Error(`${name} got ${event.type}`);
      }
      if (deliveries.some(({ event }) => this.#stored.get(event.id)!.poison && !group.isHealed)) throw new Error('poison');
      const handled = this.#handled.get(name) ?? new Set();
      this.#handled.set(name, handled);
      for (const { event } of deliveries) handled.add(event.id);
    };
    const batch = { events: 1 + group.number * 2, bytes: 100_000 };
    this.#subscriptions.set(group, await this.#broker.subscribe({ group: name, topics: [topic], types, batch, handle }));
  }

  async #leave(group: Model): Promise<void> {
    if (!group.isJoined) return;
    await this.#unlessKilled(this.#subscriptions.get(group)?.stop() ?? Promise.resolve());
    group.isJoined = false;
  }

  async #redrive(group: Model): Promise<void> {
    await this.#unlessKilled(this.#broker.redrive(group.name(this.source)));
    if (this.#mortal.isDead) {
      // The letters that were marked before the kill are delivered again, the others are not.
      await this.#begin();
      await this.#broker.redrive(group.name(this.source));
    }
    if (group.isJoined) group.redrive();
  }

  async #compare(): Promise<void> {
    for (;;) {
      if (this.#mortal.isDead) await this.#begin();
      if (await this.#isIdle()) break;
      await setImmediate();
    }
    for (const group of this.#groups) {
      if (!group.isJoined) continue;
      for (const commit of this.#log.commits) for (const event of commit) group.meet(event);
      const name = group.name(this.source);
      const letters = (await this.#broker.deadLetters(name, 1_000)).map(({ event }) => event.id);
      same(`dead letters of ${name}`, letters, group.parked);
      same(`events that ${name} has handled`, this.#handled.get(name) ?? [], group.handled);
    }
  }

  async #isIdle(): Promise<boolean> {
    if (this.#mortal.isDead || (await this.#outbox.position()) < this.#log.commits.length) return false;
    for (const group of this.#groups) {
      if (!group.isJoined) continue;
      const name = group.name(this.source);
      const lag = await this.#broker.lag(name);
      const redriven = this.file.get('SELECT 1 FROM broker_letters WHERE grp = ? AND redriven = 1', name);
      if (redriven || lag.length === 0 || lag.some(({ behind }) => behind !== 0)) return false;
    }
    return true;
  }

  /** The first deliveries of a key in each life are in the order of the log, apart from redriven letters. */
  #checkOrder(): void {
    for (const [name, deliveries] of this.#deliveries) {
      const seen = new Set<string>();
      const last = new Map<string, number>();
      for (const { id, key, life, offset } of deliveries) {
        if (seen.has(`${life} ${id}`)) continue;
        const isFirst = !seen.has(id);
        seen.add(`${life} ${id}`).add(id);
        if (isFirst && offset < (last.get(`${life} ${key}`) ?? 0)) throw new Error(`${name} got ${id} after a later event of ${key}`);
        if (isFirst) last.set(`${life} ${key}`, offset);
      }
    }
  }
}

function same(what: string, found: Iterable<string>, expected: Iterable<string>): void {
  const [a, b] = [[...found].toSorted().join(' '), [...expected].toSorted().join(' ')];
  if (a !== b) throw new Error(`${what}: ${a || 'none'} instead of ${b || 'none'}`);
}

const group = fc.nat({ max: 2 });
const event = fc.record({ key: fc.nat({ max: 3 }), type: fc.nat({ max: 2 }), poison: fc.boolean() });
const append = fc.record({ do: fc.constant('append' as const), events: fc.array(event, { minLength: 0, maxLength: 4 }) });
const writes = fc.oneof(fc.constant(0), fc.nat({ max: 6 }));
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: append },
  { weight: 6, arbitrary: fc.record({ do: fc.constantFrom('join', 'join', 'leave', 'raise', 'heal', 'heal', 'redrive'), group }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('kill'), writes, isWritten: fc.boolean() }) },
);

/** Plays random histories in one file, each with a log and groups of its own. */
export async function playHistories(file: SqliteFile, numRuns: number): Promise<void> {
  let count = 0;
  const play = (steps: readonly Step[]) => new History(file, `h${count++}`).play(steps);
  const property = fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), play);
  await fc.assert(property, { numRuns, timeout: patience(60_000) });
}
