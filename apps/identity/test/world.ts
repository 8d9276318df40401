import { type Decider, fold, Instant } from '@parlance/decider';
import type { Config, OidcProvider } from '@parlance/config';
import type { StoredEvent } from '@parlance/event-store';
import type { Clock } from '@parlance/foundation';
import { commandsOn } from '@parlance/foundation/harness';
import { LocalMasterKey, type Vault } from '@parlance/privacy';
import type { Passwords } from '../src/adapters/passwords.ts';
import { Addresses } from '../src/workflows/addresses.ts';
import { AdminSeats } from '../src/workflows/admin-seats.ts';
import { ExecuteExternalIdentity, ExecuteUser } from '../src/commands/aggregates.ts';
import { ExternalSignIn } from '../src/workflows/external-sign-in.ts';
import type { MappedGroups } from '../src/workflows/mapped-groups.ts';
import { Registration } from '../src/workflows/registration.ts';
import type { Sessions } from '../src/workflows/sessions.ts';
import { externalIdentity } from '../src/domain/external-identity.ts';
import { user, userStream } from '../src/domain/user.ts';
import { StreamsInMemory, type Turn } from './streams-in-memory.ts';

const master = new LocalMasterKey(Buffer.alloc(32));
const config = { autoJoinUserGroups: [] as readonly string[] } as Config;
export const ann = {
  issuer: 'https://id.example.org',
  subject: '1',
  email: 'ann@example.org',
  firstName: 'Ann',
  lastName: 'Archer',
  groups: [],
};
const settings = { create_users: true, group_mapping: {}, email_domains: [] } as unknown as OidcProvider;

/** Identity's workflows on streams in memory. `turn` is awaited before each step of the store. If it throws, the process crashes at that step. */
export function world(turn: Turn) {
  const log = new StreamsInMemory();
  let now = 0;
  const streams = log.as(turn);
  const commands = commandsOn(streams);
  const stateOf = <Event extends StoredEvent, State>(decider: Decider<never, Event, State>, stream: string): State =>
    fold(decider, log.events<Event>(stream));

  const vault = { seal: async (_: unknown, text: string) => `s1.${text}`, open: async (text: string) => text.slice(3) } as unknown as Vault;
  const clock = { now: () => Instant.ofMillis(now) } as Clock;
  class SimulatedAddresses extends Addresses {
    protected override async pause(millis: number) {
      now += millis;
      await turn();
    }
  }
  const passwords = { hash: async (text: string) => `hash of ${text}` } as unknown as Passwords;
  const addresses = new SimulatedAddresses(commands, streams, vault, clock, master);
  const registration = new Registration(commands, streams, addresses, new AdminSeats(commands, streams), vault, passwords);
  const living: string[] = [];
  const sessions = {
    begin: async (userId: string, via: string) => (await turn(), living.push(via), userId),
    endOutdated: async () => (await turn(), void living.splice(0)),
  } as unknown as Sessions;
  const groups = { applyMapping: async () => {} } as unknown as MappedGroups;
  const signIns = new ExternalSignIn(commands, streams, addresses, registration, groups, sessions, config, master);
  return {
    living,
    signIn: () => signIns.signIn(ann, 'acme', settings) as unknown as Promise<string>,
    async signUp(userId: string) {
      const facts = { ...ann, password: 'x', groups: [], mustChangePassword: false, origin: 'sign_up' } as const;
      await registration.register(userId, facts);
    },
    /** Does the steps of `Erasure`, in the same order. */
    async erase(userId: string) {
      const { state } = await commands.execute(new ExecuteUser(userId, { type: 'Erase' }));
      const { linked } = state as { linked: readonly string[] };
      for (const identityHash of linked) await commands.execute(new ExecuteExternalIdentity(identityHash, { type: 'Unlink', userId }));
      await addresses.release(userId, ann.email);
    },
    user: (userId: string) => stateOf(user, userStream(userId)),
    addresses,
    registration,
    later: (millis: number) => void (now += millis),
    registered: () =>
      log
        .names('user-')
        .filter((stream) => stateOf(user, stream).status === 'registered')
        .map((stream) => stream.slice(5)),
    linked: () => log.names('external-').map((stream) => stateOf(externalIdentity, stream).userId),
  };
}
