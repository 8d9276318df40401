import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GroupCreated, LONGEST_GROUP_NAME, UserJoinedGroup } from '@parlance/contracts';
import { Instant } from '@parlance/decider';
import type { At } from '@parlance/read-models';
import type { RevocationRow } from '@parlance/revocation';
import { describeConfig, loadConfig, LONGEST_PASSWORD, LONGEST_TOKEN_MINUTES, SHORTEST_PASSWORD } from '@parlance/config';
import { revocations } from '../src/projections/revocations.ts';
import { type IdentityUnderTest, identityUnderTest, password } from './people.ts';

const guide = (name: string) => readFileSync(new URL(`../../../docs/how-to/${name}.md`, import.meta.url), 'utf8').replaceAll(/\s+/g, ' ');
const load = (env: Record<string, string>) => loadConfig({ argv: [], env, cwd: '/nowhere' });

describe('the lifetime of access tokens', () => {
  const longest = Number(/to (\d+)$/.exec(describeConfig().find(({ key }) => key === 'tokenValidMinutes')?.allowed ?? '')?.[1]);

  it('is limited by the configuration', () => {
    expect(longest).toBe(LONGEST_TOKEN_MINUTES);
    expect(load({ PARLANCE_TOKEN_VALID_MINUTES: String(longest) }).tokenValidMinutes).toBe(longest);
    expect(() => load({ PARLANCE_TOKEN_VALID_MINUTES: String(longest + 1) })).toThrow('tokenValidMinutes');
  });
  it.each(['SessionEnded', 'UserErased'] as const)('never exceeds the time for which a revocation by %s is kept', (type) => {
    const at = Instant.ofSeconds(1_800_000_000);
    const place = { stream: 'session-1', version: 1, position: 1, metadata: { at } } as unknown as At;
    const [change] = revocations.changes({ type }, place) as unknown as readonly { readonly row: RevocationRow }[];
    expect(change?.row.until).toBeGreaterThan(at + longest * 60_000);
  });
});

describe('group names and passwords', () => {
  let identity: IdentityUnderTest;
  beforeAll(async () => (identity = await identityUnderTest()));
  afterAll(() => identity.stop());

  // Two UTF-16 units each: limits count characters.
  const bees = (count: number) => '\u{1F41D}'.repeat(count);

  it('have the same longest name in the configuration, requests, SCIM and events', async () => {
    const [longest, longer] = [bees(LONGEST_GROUP_NAME), bees(LONGEST_GROUP_NAME + 1)];
    const { body: token } = await identity.ask('post', '/admin/scim-tokens', identity.admin, { description: 'The directory' });
    const headers = { authorization: `Bearer ${token.token}`, 'content-type': 'application/scim+json' };
    const taken = async (name: string) => [
      (await identity.ask('post', '/admin/groups', identity.admin, { name })).status,
      (await identity.ask('post', '/scim/v2/Groups', null, { displayName: `x${name.slice(2)}` }, headers)).status,
      GroupCreated.schema.safeParse({ group: name }).success,
      UserJoinedGroup.schema.safeParse({ user_id: 'u', group: name }).success,
      isFine({ PARLANCE_AUTO_JOIN_USER_GROUPS: name }),
    ];
    expect([await taken(longest), await taken(longer)]).toEqual([
      [201, 201, true, true, true],
      [400, 400, false, false, false],
    ]);
  });
  it.each([' red', 're\u200bd', 'a\tb'])('have the same allowed characters everywhere: %j is never a name', async (name) => {
    const answer = await identity.ask('post', '/admin/groups', identity.admin, { name });
    const mapping = JSON.stringify({ acme: { issuer: 'https://id.example.org', client_id: 'p', group_mapping: { a: name } } });
    expect([answer.status, isFine({ PARLANCE_OIDC_PROVIDERS: mapping })]).toEqual([400, false]);
  });
  it.each([
    ['the shortest', SHORTEST_PASSWORD, true],
    ['shorter', SHORTEST_PASSWORD - 1, false],
    ['the longest', LONGEST_PASSWORD, true],
    ['longer', LONGEST_PASSWORD + 1, false],
  ])('have the same length limits wherever a password is set: %s', async (name, length, fine) => {
    const chosen = bees(length);
    const email = `${name.replace(' ', '-')}@example.org`;
    const made = await identity.ask('post', '/auth/sign-up', null, { email, password: chosen, first_name: 'A', last_name: 'B' });
    const { body } = await identity.ask('post', '/admin/users', identity.admin, {
      email: `by-admin-${email}`,
      first_name: 'A',
      last_name: 'B',
    });
    const { reset_token } = (await identity.ask('post', `/admin/users/${body.user_id}/password-reset`, identity.admin)).body;
    const reset = await identity.ask('post', '/auth/password-reset', null, { reset_token, new_password: chosen });
    expect([made.status === 201, reset.status === 204, isFine({ PARLANCE_ADMIN_PASSWORD: chosen })]).toEqual([fine, fine, fine]);
  });
  it('are stated in the guide', () => {
    expect(guide('people')).toContain(`At least ${SHORTEST_PASSWORD} characters, at most ${LONGEST_PASSWORD.toLocaleString('en')}.`);
    for (const page of ['people', 'provisioning']) expect(guide(page)).toContain(`at most ${LONGEST_GROUP_NAME} characters`);
    expect(password.length).toBeGreaterThanOrEqual(SHORTEST_PASSWORD);
  });
});

function isFine(env: Record<string, string>): boolean {
  try {
    return load(env) !== null;
  } catch {
    return false;
  }
}
