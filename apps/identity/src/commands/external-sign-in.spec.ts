import { describe, expect, it } from '@jest/globals';
import type { CommandBus } from '@nestjs/cqrs';
import { type Decider, fold, Instant } from '@parlance/decider';
import { type Append, type Commit, type EventStore, execute, type StoredEvent, VersionConflict } from '@parlance/event-store';
import type { Vault } from '@parlance/privacy';
import { type OidcProvider, requireMatch, type Streams } from '@parlance/service-kit';
import fc from 'fast-check';
import type { Passwords } from '../adapters/passwords.ts';
import { administrators, administratorsStream } from '../domain/administrators.ts';
import { emailClaim, emailStream } from '../domain/email-claim.ts';
import { externalIdentity, externalIdentityStream } from '../domain/external-identity.ts';
import { user, userStream } from '../domain/user.ts';
import { Administration } from './administration.ts';
import { ExecuteAdministrators } from './administrators.ts';
import { ExecuteEmailClaim } from './email-claim.ts';
import { ExecuteExternalIdentity } from './external-identity.ts';
import { ExternalSignIn } from './external-sign-in.ts';
import type { MappedGroups } from './mapped-groups.ts';
import { Registration } from './registration.ts';
import type { Sessions } from './sessions.ts';
import { ExecuteUser } from './user.ts';

const key = Buffer.alloc(32);
const metadata = {
  at: Instant.ofMillis(0),
  actor: null,
  ip: null,
  userAgent: null,
  requestId: 'r',
  correlationId: 'r',
  causationId: null,
};
const ann = { issuer: 'https://id.example.org', subject: '1', email: 'ann@example.org', firstName: 'Ann', lastName: 'Archer', groups: [] };
const settings = { create_users: true, group_mapping: {} } as unknown as OidcProvider;

type AnyDecider = Decider<never, StoredEvent, unknown>;

/** Identity's streams in memory; before each step `turn` is waited for, and may throw: then somebody was cut off there. */
function world(turn: () => Promise<void>) {
  const commits = new Map<string, Commit[]>();
  const store = {
    read: async (stream: string, after = 0) => (await turn(), (commits.get(stream) ?? []).slice(after)),
    async append({ stream, expected, events }: Append) {
      await turn();
      const its = commits.get(stream) ?? [];
      if (its.length !== expected) throw new VersionConflict(stream, expected);
      const recorded = events.map((event, index) => ({ id: `${stream}${expected}.${index}`, schema: 1, event }));
      commits.set(stream, [...its, { position: 0, stream, version: expected + 1, events: recorded, metadata }]);
      return { version: expected + 1, written: true, events: recorded };
    },
  } as unknown as EventStore;
  const stateOf = <State>(decider: Decider<never, never, State>, stream: string): State =>
    fold(
      decider,
      (commits.get(stream) ?? []).flatMap((commit) => commit.events.map(({ event }) => event as never)),
    );
  const streams = {
    load: async (decider: AnyDecider, stream: string) => (await store.read(stream), stateOf(decider as never, stream)),
    look: async (decider: AnyDecider, stream: string) => ({
      version: (await store.read(stream)).length,
      state: stateOf(decider as never, stream),
    }),
  } as unknown as Streams;
  const run = (decider: unknown, stream: string, command: unknown, ifMatch?: string) =>
    execute(store, decider as AnyDecider, {
      stream,
      command: command as never,
      metadata,
      attempts: 50,
      accepts: (version) => requireMatch(ifMatch, version),
    });
  const commands = {
    execute(its: ExecuteUser | ExecuteEmailClaim | ExecuteExternalIdentity | ExecuteAdministrators) {
      if (its instanceof ExecuteUser) return run(user, userStream(its.userId), its.command, its.ifMatch);
      if (its instanceof ExecuteEmailClaim) return run(emailClaim, emailStream(its.emailHash), its.command);
      if (its instanceof ExecuteExternalIdentity) return run(externalIdentity, externalIdentityStream(its.identityHash), its.command);
      return run(administrators, administratorsStream, its.command);
    },
  } as unknown as CommandBus;

  const vault = { seal: async (_: unknown, text: string) => `s1.${text}` } as unknown as Vault;
  const passwords = { hash: async (text: string) => `hash of ${text}` } as unknown as Passwords;
  const registration = new Registration(commands, streams, new Administration(commands, streams), vault, passwords, key);
  const living: string[] = [];
  const sessions = {
    begin: async (userId: string, via: string) => (await turn(), living.push(via), userId),
    endAll: async () => (await turn(), living.splice(0).length),
  } as unknown as Sessions;
  const groups = { follow: async () => {} } as unknown as MappedGroups;
  const signIns = new ExternalSignIn(commands, streams, registration, groups, sessions, [], key);
  return {
    living,
    signIn: () => signIns.as(ann, 'acme', settings) as unknown as Promise<string>,
    async signUp(userId: string) {
      const facts = { ...ann, password: 'x', groups: [], mustChangePassword: false, origin: 'sign_up' } as const;
      await registration.register(userId, facts);
    },
    /** As `Erasure` does it, in this order. */
    async erase(userId: string) {
      const { state } = await commands.execute(new ExecuteUser(userId, { type: 'Erase' }));
      const { linked } = state as { linked: readonly string[] };
      for (const identityHash of linked) await commands.execute(new ExecuteExternalIdentity(identityHash, { type: 'Unlink', userId }));
      await registration.release(userId, ann.email);
    },
    user: (userId: string) => stateOf(user as never, userStream(userId)) as ReturnType<(typeof user)['evolve']>,
    registered: () => [...commits.keys()].filter((stream) => stream.startsWith('user-')).map((stream) => stream.slice(5)),
    linked: () =>
      [...commits.keys()]
        .filter((stream) => stream.startsWith('external-'))
        .map((stream) => (stateOf(externalIdentity as never, stream) as { userId: string | null }).userId),
  };
}

const cutOff = new Error('cut off');

/** What is so when all is done, whatever came between. */
function expectOneUser(its: ReturnType<typeof world>, userId: string) {
  expect([its.registered(), its.linked()]).toEqual([[userId], [userId]]);
  expect(its.user(userId)).toMatchObject({ status: 'registered', passwordHash: null, linked: [expect.stringMatching(/^[0-9a-f]{64}$/)] });
}

describe('a first sign-in that is cut off anywhere', () => {
  const cutAt = async (step: number, prepare: (its: ReturnType<typeof world>) => Promise<void>) => {
    let left = Infinity;
    const its = world(async () => {
      if (left-- <= 0) throw cutOff;
    });
    await prepare(its);
    left = step;
    const wasCut = await its.signIn().then(
      () => false,
      (error) => error === cutOff,
    );
    left = Infinity;
    return { its, wasCut, userId: await its.signIn() };
  };

  it('is done by the next, and makes no second user', async () => {
    for (let step = 0, wasCut = true; wasCut; step++) {
      const after = await cutAt(step, async () => {});
      wasCut = after.wasCut;
      expectOneUser(after.its, after.userId);
      expect(step).toBeLessThan(40);
    }
  });

  it('never leaves a stranger in who signed up with the address before', async () => {
    for (let step = 0, wasCut = true; wasCut; step++) {
      const after = await cutAt(step, async (its) => {
        await its.signUp('stranger');
        its.living.push('stranger');
      });
      wasCut = after.wasCut;
      expectOneUser(after.its, 'stranger');
      expect(after.its.living).not.toContain('stranger');
      expect(step).toBeLessThan(40);
    }
  });
});

describe('a user who is erased while they sign in for the first time', () => {
  it('is somebody else the next time, wherever it happened', async () => {
    for (let step = 0, wasErased = true; wasErased; step++) {
      wasErased = false;
      let left = Infinity;
      const its = world(async () => {
        if (left-- !== 0) return;
        wasErased = true;
        await its.erase('erased');
      });
      await its.signUp('erased');
      left = step;
      await its.signIn();
      left = Infinity;
      const userId = await its.signIn();
      expect(its.user(userId)).toMatchObject({ status: 'registered' });
      expect(its.linked()).toEqual([userId]);
      expect(step).toBeLessThan(40);
    }
  });
});

describe('first sign-ins at once, and somebody who signs up with the address', () => {
  it('make one user, whose password is void', () =>
    fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.integer({ min: 1, max: 3 }), async (scheduler, count) => {
        const its = world(() => scheduler.schedule(Promise.resolve()));
        const signUp = its.signUp('stranger').catch(() => {});
        const all = Promise.all([signUp, ...Array.from({ length: count }, () => its.signIn())]);
        const [, ...users] = await scheduler.waitFor(all);
        expect(new Set(users).size).toBe(1);
        expectOneUser(its, users[0] as string);
      }),
      { numRuns: 200 },
    ));
});
