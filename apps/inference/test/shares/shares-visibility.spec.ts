import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Vault } from '@parlance/privacy';
import { pathOf, type Shared, SharedWorld } from './shared-world.ts';

const callers = ['owner', 'other', 'admin', 'anonymous'] as const;
type Caller = (typeof callers)[number];

/** The state of a share when it is read, and the status for each caller. The owner counts as a signed-in user. */
const table: readonly [audience: 'signed_in' | 'public', state: string, statuses: readonly [number, number, number, number]][] = [
  ['signed_in', 'live', [200, 200, 200, 404]],
  ['public', 'live', [200, 200, 200, 200]],
  ['signed_in', 'public links off', [200, 200, 200, 404]],
  ['public', 'public links off', [200, 200, 200, 404]],
  ['signed_in', 'revoked', [404, 404, 404, 404]],
  ['public', 'revoked', [404, 404, 404, 404]],
  ['signed_in', 'expired', [404, 404, 404, 404]],
  ['public', 'expired', [404, 404, 404, 404]],
  ['signed_in', 'deleted conversation', [404, 404, 404, 404]],
  ['public', 'deleted conversation', [404, 404, 404, 404]],
  ['signed_in', 'erased owner', [404, 404, 404, 404]],
  ['public', 'erased owner', [404, 404, 404, 404]],
];

/** Longer than the time that tasks share in one turn of the event loop. */
const SLOW_MILLIS = 6;

describe('a share is shown', () => {
  let world: SharedWorld;
  let users = 0;
  beforeAll(async () => {
    world = await SharedWorld.start();
  });
  afterAll(() => world.service.stop());

  const inAMinute = () => Math.floor(Date.now() / 1000) + 60;
  const states: Readonly<Record<string, (shared: Shared, owner: string) => unknown>> = {
    live: () => undefined,
    'public links off': () => world.allowPublicLinks(false),
    revoked: (shared, owner) => world.revoke(owner, shared),
    expired: () => world.service.later(61_000),
    'deleted conversation': ({ conversation_id }, owner) => world.call(owner, 'delete', `/conversation/${conversation_id}`),
    'erased owner': (_, owner) => world.erase(owner),
  };
  const read = (shared: Shared, caller: Caller, owner: string) => {
    if (caller === 'anonymous') return world.call(null, 'get', pathOf(shared));
    if (caller === 'admin') return world.call('root', 'get', pathOf(shared), 'Admin');
    return world.call(caller === 'owner' ? owner : 'other', 'get', pathOf(shared));
  };

  it.each(table)('according to the table of callers: %s, %s', async (audience, state, statuses) => {
    const owner = `owner-${++users}`;
    const shared = await world.share(owner, await world.say(owner, 'Shared words.'), { audience, expires_at: inAMinute() });
    await states[state]!(shared, owner);
    const answers = await Promise.all(callers.map((caller) => read(shared, caller, owner)));
    expect(answers.map(({ status }) => status)).toEqual(statuses);
    // Unknown shares, ended shares and shares for others get the same answer.
    const unknown = (await world.call(null, 'get', `/shared/${'x'.repeat(43)}`)).body;
    for (const { body, status, headers } of answers) {
      expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' });
      if (status === 404) expect({ ...body, request_id: '' }).toEqual({ ...unknown, request_id: '' });
    }
    world.allowPublicLinks(true);
    world.service.later(state === 'expired' ? -61_000 : 0);
  });

  it('can be requested with any token, and a public share cannot be created while public links are off', async () => {
    for (const token of ['x', `${'x'.repeat(44)}`, 'a.b', '..%2F'])
      expect((await world.call('other', 'get', `/shared/${token}`)).status).toBe(404);
    const place = await world.say('ann', 'Mine.');
    world.allowPublicLinks(false);
    const { status, body } = await world.post('ann', place.conversation_id, { audience: 'public' });
    expect([status, body.code]).toEqual([403, 'public_links_disabled']);
    world.allowPublicLinks(true);
    expect((await world.post('ann', place.conversation_id, { audience: 'public' })).status).toBe(201);
  });

  it('gives other work a turn of the event loop after each slow step of a page', async () => {
    const shared = await world.share('ann', await world.say('ann', 'Read this.'));
    let turn = 0;
    let isReading = true;
    const count = () => {
      turn++;
      if (isReading) setImmediate(count);
    };
    setImmediate(count);
    const turnsOfSteps: number[] = [];
    const { open } = Vault.prototype;
    const slow = jest.spyOn(Vault.prototype, 'open').mockImplementation(async function (this: Vault, sealed) {
      const text = await open.call(this, sealed);
      const begun = performance.now();
      while (performance.now() - begun < SLOW_MILLIS);
      turnsOfSteps.push(turn);
      return text;
    });
    try {
      const answers = await Promise.all(Array.from({ length: 8 }, () => world.read(shared).then(({ status }) => status)));
      expect(answers).toEqual(Array(8).fill(200));
      // Each page opens the texts of its messages and the title, and both are sealed twice.
      expect(turnsOfSteps).toHaveLength(8 * 4);
      expect(new Set(turnsOfSteps).size).toBe(turnsOfSteps.length);
    } finally {
      isReading = false;
      slow.mockRestore();
    }
  });
});
