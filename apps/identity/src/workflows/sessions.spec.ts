import { describe, expect, it } from '@jest/globals';
import type { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Instant } from '@parlance/decider';
import type { Config } from '@parlance/config';
import { LocalMasterKey } from '@parlance/privacy';
import type { RevocationFeed } from '@parlance/revocation';
import type { Clock, Streams } from '@parlance/foundation';
import type { AccessTokens } from '../adapters/access-tokens.ts';
import { RefreshTokens } from '../adapters/refresh-tokens.ts';
import type { SessionClients } from '../adapters/session-clients.ts';
import type { People } from '../projections/people.ts';
import type { ExecuteSession } from '../commands/aggregates.ts';
import { Sessions } from './sessions.ts';

const sessionId = '01K0000000000000000000000A';
const tokens = new RefreshTokens(new LocalMasterKey(Buffer.alloc(32)));
const refreshToken = tokens.issue({ sessionId, generation: 0 });

/** Sessions of a user who is in this epoch. `begun`: by session ID, the epoch in which the session began. */
function sessionsOf(epoch: number, begun: Readonly<Record<string, number>>) {
  const ended: string[] = [];
  const commands = {
    execute: async ({ id, command }: InstanceType<typeof ExecuteSession>) => {
      if (command.type === 'End') ended.push(id);
      const state = { status: 'living', userId: 'ann', via: 'password', epoch: begun[id], generation: 1 };
      return { state, position: 1 };
    },
  } as unknown as CommandBus;
  const queries = {
    execute: async () => Object.entries(begun).map(([session_id, begunIn]) => ({ session_id, epoch: begunIn })),
  } as unknown as QueryBus;
  const streams = { load: async () => ({ status: 'registered', enabled: true, epoch, groups: [] }) } as unknown as Streams;
  const access = { issue: async () => 'token', validSeconds: 1 } as unknown as AccessTokens;
  const clients = { current: async () => undefined } as unknown as SessionClients;
  const feed = { seenByAll: async () => {} } as unknown as RevocationFeed;
  const people = { byId: async () => ({ email: 'ann@example.org' }) } as unknown as People;
  const config = { sessionValidDays: 30, requireSecondFactorFor: [] as readonly string[] } as Config;
  const clock = { now: () => Instant.ofMillis(0) } as Clock;
  return { ended, sessions: new Sessions(commands, queries, streams, access, tokens, clients, feed, people, clock, config) };
}

describe('a session that a crash left active when all sessions of its user had to end', () => {
  it('is not refreshed', async () => {
    const { sessions } = sessionsOf(1, { [sessionId]: 0 });
    await expect(sessions.refresh(refreshToken)).rejects.toMatchObject({ code: 'invalid_refresh_token' });
  });
  it('is ended by the next change, but later sessions are not', async () => {
    const { sessions, ended } = sessionsOf(1, { before: 0, since: 1 });
    await sessions.endOutdated('ann');
    expect(ended).toEqual(['before']);
  });
  it('is refreshed if its epoch is current', async () => {
    const { sessions } = sessionsOf(0, { [sessionId]: 0 });
    await expect(sessions.refresh(refreshToken)).resolves.toMatchObject({ access_token: 'token' });
  });
});
