import { type Decider, fold, Instant } from '@parlance/decider';
import { type Append, type Commit, type EventStore, execute, type StoredEvent, VersionConflict } from '@parlance/event-store';
import type { Vault } from '@parlance/privacy';
import type { Clock, ExecuteOptions, Streams } from '@parlance/foundation';
import { commandsOn } from '@parlance/foundation/harness';
import type { OidcProvider } from '@parlance/config';
import { requireMatch } from '@parlance/http';
import type { Passwords } from '../src/adapters/passwords.ts';
import { Addresses } from '../src/workflows/addresses.ts';
import { Administration } from '../src/workflows/administration.ts';
import { ExecuteExternalIdentity, ExecuteUser } from '../src/commands/aggregates.ts';
import { ExternalSignIn } from '../src/workflows/external-sign-in.ts';
import type { MappedGroups } from '../src/workflows/mapped-groups.ts';
import { Registration } from '../src/workflows/registration.ts';
import type { Sessions } from '../src/workflows/sessions.ts';
import { externalIdentity } from '../src/domain/external-identity.ts';
import { user, userStream } from '../src/domain/user.ts';

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
export const ann = {
  issuer: 'https://id.example.org',
  subject: '1',
  email: 'ann@example.org',
  firstName: 'Ann',
  lastName: 'Archer',
  groups: [],
};
const settings = { create_users: true, group_mapping: {}, email_domains: [] } as unknown as OidcProvider;

type AnyDecider = Decider<never, StoredEvent, unknown>;

/** Identity's streams in memory; before each step `turn` is waited for, and may throw: then the process was cut off there. */
export function world(turn: () => Promise<void>) {
  const commits = new Map<string, Commit[]>();
  let now = 0;
  const store = {
    read: async (stream: string, after = 0) => (await turn(), { commits: (commits.get(stream) ?? []).slice(after), more: false }),
    async append({ stream, expected, events }: Append) {
      await turn();
      const its = commits.get(stream) ?? [];
      if (its.length !== expected) throw new VersionConflict(stream, expected);
      const recorded = events.map((event, index) => ({ id: `${stream}${expected}.${index}`, schema: 1, event }));
      commits.set(stream, [...its, { position: 0, stream, version: expected + 1, events: recorded, metadata }]);
      return { position: 0, version: expected + 1, written: true, events: recorded, earlier: [] };
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
      version: (await store.read(stream)).commits.length,
      state: stateOf(decider as never, stream),
    }),
    execute: (decider: AnyDecider, stream: string, command: never, { ifMatch }: ExecuteOptions = {}) =>
      execute(store, decider, { stream, command, metadata, attempts: 50, accepts: (version) => requireMatch(ifMatch, version) }),
  } as unknown as Streams;
  const commands = commandsOn(streams);

  const vault = { seal: async (_: unknown, text: string) => `s1.${text}`, open: async (text: string) => text.slice(3) } as unknown as Vault;
  const clock = { now: () => Instant.ofMillis(now) } as Clock;
  const passwords = { hash: async (text: string) => `hash of ${text}` } as unknown as Passwords;
  const addresses = new Addresses(commands, streams, vault, clock, key, async (millis) => {
    now += millis;
    await turn();
  });
  const registration = new Registration(commands, streams, addresses, new Administration(commands, streams), vault, passwords);
  const living: string[] = [];
  const sessions = {
    begin: async (userId: string, via: string) => (await turn(), living.push(via), userId),
    endOutdated: async () => (await turn(), void living.splice(0)),
  } as unknown as Sessions;
  const groups = { follow: async () => {} } as unknown as MappedGroups;
  const signIns = new ExternalSignIn(commands, streams, addresses, registration, groups, sessions, [], key);
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
      await addresses.release(userId, ann.email);
    },
    user: (userId: string) => stateOf(user as never, userStream(userId)) as ReturnType<(typeof user)['evolve']>,
    addresses,
    registration,
    later: (millis: number) => void (now += millis),
    registered: () =>
      [...commits.keys()]
        .filter((stream) => stream.startsWith('user-') && (stateOf(user as never, stream) as { status: string }).status === 'registered')
        .map((stream) => stream.slice(5)),
    linked: () =>
      [...commits.keys()]
        .filter((stream) => stream.startsWith('external-'))
        .map((stream) => (stateOf(externalIdentity as never, stream) as { userId: string | null }).userId),
  };
}

export const cutOff = new Error('cut off');
