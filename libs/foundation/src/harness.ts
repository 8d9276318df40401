import { channel } from 'node:diagnostics_channel';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Type } from '@nestjs/common';
import type { CommandBus } from '@nestjs/cqrs';
import { Instant } from '@parlance/decider';
import { type CloudEvent, defaultRetry, topicOf } from '@parlance/messaging';
import type { CalledApi, CallTerms } from '@parlance/observability';
import { Projector } from '@parlance/read-models';
import { loadConfig } from '@parlance/config';
import { Clock } from './clock.ts';
import type { Execute } from './cqrs/aggregate.ts';
import type { Streams } from './streams.ts';
import { newId } from '@parlance/event-store';
import { type Host, openHost } from './process/host.ts';
import type { Pace } from './process/pace.ts';
import { type Service, startService } from './process/service.ts';
import { KeysOfUsers } from './erasure/keys-of-users.ts';
import { type CallerStatement, STATEMENT_HEADER } from '@parlance/http';

export { KeysOfUsers };

/** A command bus that carries out the commands of aggregates on these streams, without an application. */
export function commandsOn(streams: Pick<Streams, 'execute'>): CommandBus {
  const execute = (execution: object) =>
    (execution.constructor as Execute<never, never, never, never>).carryOut(streams, execution as never);
  return { execute } as unknown as CommandBus;
}

/** One service alone, with real stores and a real broker in a temporary directory, for its tests over HTTP. */
export interface ServiceUnderTest {
  readonly server: Server;
  readonly host: Host;
  /** Headers of a request that the edge forwards for this user. */
  as(userId: string, ...groups: string[]): Record<string, string>;
  /** The same, for a personal access token of the user. */
  asToken(tokenId: string, userId: string, ...groups: string[]): Record<string, string>;
  /** The same, for a token with the scope `models` and these terms. */
  asModelsToken(tokenId: string, userId: string, terms?: Partial<CallTerms>): Record<string, string>;
  /** Headers of a request that the edge forwards for a program with a key of a published bot of this owner. */
  asApi(ownerId: string, api: CalledApi): Record<string, string>;
  /** Headers of a call that another service makes for this user. */
  asCallFor(userId: string, ...groups: string[]): Record<string, string>;
  /** Headers of a call that another service makes on its own behalf. */
  asService(name: string): Record<string, string>;
  /** Publishes an event as another service would. An ID that was used before makes it a repeated delivery. */
  hear(type: string, subject: string, data: object, id?: string): Promise<void>;
  /** All public events of the service, in the order of its log. */
  published<Data = Record<string, unknown>>(): Promise<readonly CloudEvent<Data>[]>;
  /** A provider of the service, for work that is due only seldom. */
  part<Part>(type: Type<Part>): Part;
  /** Moves the service's clock forward. */
  later(millis: number): void;
  stop(): Promise<void>;
}

/**
 * Tests wait for timers with a period of at most ten seconds: these run a hundred times as often, but at most twenty times a second. Tests call
 * the work of slower timers themselves. A delivery that keeps failing is set aside after 0.3 seconds.
 */
export const testPace: Pace = {
  timer: (millis) => (millis > 10_000 ? millis : Math.max(millis / 100, Math.min(millis, 50))),
  retry: { ...defaultRetry, firstDelayMs: defaultRetry.firstDelayMs / 10 },
};

const ofSpecs: Readonly<Record<string, string>> = {
  PARLANCE_LOG_LEVEL: 'fatal',
  PARLANCE_SHUTDOWN_GRACE_SECONDS: '5',
  // Other specs on this machine make writes wait, and no spec expects a refusal for that.
  PARLANCE_LONGEST_WRITE_WAIT_MILLIS: '60000',
};

/** Lets a test move this clock forward: returns a function that adds milliseconds. */
export function bringsForward(clock: Clock): (millis: number) => void {
  let shift = 0;
  clock.now = () => Instant.ofMillis(Date.now() + shift);
  clock.steady = () => performance.now() + shift;
  return (millis) => void (shift += millis);
}

const NO_TERMS: CallTerms = {
  models: [],
  requests_per_minute: null,
  tokens_per_minute: null,
  max_parallel_requests: null,
  cost_centre: null,
  tags: {},
};

const others = (name: string) => ['identity', 'bots', 'publication', 'inference', 'analytics', 'edge'].filter((other) => other !== name);

export async function serviceUnderTest(service: Service, settings: Readonly<Record<string, string>> = {}): Promise<ServiceUnderTest> {
  channel('parlance.test.start').publish('service in the process');
  const directory = await mkdtemp(join(tmpdir(), `parlance-${service.name}-`));
  const env = { PARLANCE_DATA_DIR: directory, ...ofSpecs, ...settings };
  const host = await openHost(loadConfig({ argv: [], env, cwd: directory }), false, 'needs at once', testPace);
  // The other services do not run. Their logs are empty, and `hear` publishes their events.
  for (const name of others(service.name))
    host.published.enter(name, { after: async () => ({ events: [], position: 0, head: 0 }), positionAt: async () => 1 });
  // Each user has a key, unless a test enters its own keys or identity.
  if (service.name !== 'identity') await new KeysOfUsers().enter(host);
  const { app, instance } = await startService(service, host);
  while (app.get(Projector).ready().length > 0) await setImmediate();
  const sequences = new Map<string, number>();
  const sequenceOf = (id: string) => {
    if (!sequences.has(id)) sequences.set(id, sequences.size + 1);
    return sequences.get(id)!;
  };
  const headers = (statement: Pick<CallerStatement, 'sub' | 'groups' | 'sid' | 'tid' | 'terms' | 'kind' | 'call' | 'api'>) => {
    const rid = newId();
    const all = { ...statement, ip: '203.0.113.9', ua: 'test/1', rid, cid: rid };
    return { [STATEMENT_HEADER]: host.statements.sign(all, Instant.ofMillis(Date.now())) };
  };
  return {
    server: instance.server,
    host,
    as: (userId, ...groups) => headers({ sub: userId, groups, sid: 'session', kind: 'user' }),
    asToken: (tid, userId, ...groups) => headers({ sub: userId, groups, sid: null, tid, kind: 'user' }),
    asModelsToken: (tid, userId, terms) =>
      headers({ sub: userId, groups: [], sid: null, tid, terms: { ...NO_TERMS, ...terms }, kind: 'user' }),
    asApi: (ownerId, api) => headers({ sub: ownerId, groups: [], sid: null, kind: 'api', api }),
    asCallFor: (userId, ...groups) => headers({ sub: userId, groups, sid: null, kind: 'user', call: true }),
    asService: (name) => headers({ sub: name, groups: [], sid: null, kind: 'service', call: true }),
    async hear(type, subject, data, id = newId()) {
      const source = type.split('.')[1] as string;
      const publisher = await host.broker.publisher(`test.${source}`);
      const event: CloudEvent = {
        specversion: '1.0',
        id,
        source: `/${source}`,
        type,
        subject,
        time: new Date().toISOString(),
        datacontenttype: 'application/json',
        sequence: `${sequenceOf(id)}.0`,
        actor: 'harness',
        actorip: '203.0.113.9',
        data,
      };
      await publisher.send([{ topic: topicOf(type), key: subject, event }]);
      await publisher.close();
    },
    async published<Data>() {
      const log = (await host.published.of(service.name))!;
      const all: CloudEvent<Data>[] = [];
      for (let [after, end] = [0, 1]; after < end;) {
        const { events, position, head } = await log.after(after);
        all.push(...(events as CloudEvent<Data>[]));
        [after, end] = [position, head];
      }
      return all;
    },
    part: (type) => app.get(type),
    later: bringsForward(app.get(Clock)),
    async stop() {
      await host.shutdown.run();
      await rm(directory, { recursive: true });
    },
  };
}
