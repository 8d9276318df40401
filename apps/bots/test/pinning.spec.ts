import { setImmediate } from 'node:timers/promises';
import { afterAll, describe, expect, it } from '@jest/globals';
import { newId } from '@parlance/event-store';
import fc from 'fast-check';
import { waitFor } from '@parlance/testing';
import { type Answer, BotsUnderTest, idsOf } from './bots-under-test.ts';

const bots = await BotsUnderTest.start();
afterAll(() => bots.stop());

const ben = newId();
const owner = () => bots.creator('ann');
const admin = (name = 'root') => bots.service.as(name, 'Admin');
const push = (id: string, body: object, headers = admin()) => bots.ask('PATCH', `/admin/bot/${id}/pushed`, headers, body);
const pin = (id: string, order = 1, name = 'root') => push(id, { to_pinned: true, order }, admin(name));
const unpin = (id: string, name = 'root') => push(id, { to_pinned: false }, admin(name));
const share = (id: string, body: object, headers = owner()) => bots.ask('PATCH', `/bot/${id}/visibility`, headers, body);
const remove = (id: string, headers = owner()) => bots.ask('DELETE', `/bot/${id}`, headers);
const toBen = { target_shared_scope: 'partial', target_allowed_user_ids: [ben] };

async function sharedBot(scope: 'partial' | 'all' = 'all', body: object = {}): Promise<string> {
  const { id } = await bots.create('ann', body);
  await bots.share('ann', id, scope, { target_allowed_user_ids: [ben] });
  return id;
}

describe('pinning a bot', () => {
  it.each([
    [1, 'pinned@001'],
    [42, 'pinned@042'],
    [999, 'pinned@999'],
  ])('with order %d gives the status %s', async (order, status) => {
    const id = await sharedBot();
    expect(await pin(id, order)).toMatchObject({ status: 200, body: { id, status } });
    expect((await bots.get(`/bot/${id}`, owner())).body.status).toBe(status);
  });
  it('gives the status shared again after it is unpinned', async () => {
    const id = await sharedBot('partial');
    await pin(id);
    expect((await unpin(id)).body).toEqual({ id, status: 'shared' });
    expect((await bots.get(`/bot/${id}`, owner())).body).toMatchObject({ status: 'shared', shared_scope: 'partial' });
  });
  it('changes the order of a pinned bot, and does nothing if it has this order', async () => {
    const id = await sharedBot();
    await pin(id, 1);
    expect((await pin(id, 2)).body.status).toBe('pinned@002');
    await pin(id, 2);
    expect((await bots.get(`/bot/${id}`, owner())).body.version).toBe(4);
  });
  it('does nothing when a bot that is not pinned is unpinned', async () => {
    const id = await sharedBot();
    expect((await unpin(id)).body).toEqual({ id, status: 'shared' });
  });
  it.each([
    ['no order', { to_pinned: true }, 'order'],
    ['order 0', { to_pinned: true, order: 0 }, 'order'],
    ['order 1000', { to_pinned: true, order: 1000 }, 'order'],
    ['order 1.5', { to_pinned: true, order: 1.5 }, 'order'],
    ['an order as text', { to_pinned: true, order: '1' }, 'order'],
    ['no to_pinned', { order: 1 }, 'to_pinned'],
    ['an unknown field', { to_pinned: false, pinned: true }, 'pinned'],
  ])('refuses %s', async (_, body, field) => {
    const answer = await push(await sharedBot(), body);
    expect([answer.status, answer.body.errors.map(({ path }: { path: string }) => path)]).toEqual([400, [field]]);
  });
  it('is allowed for administrators, and even the owner is refused', async () => {
    const id = await sharedBot();
    for (const headers of [owner(), bots.service.as(ben)])
      expect((await push(id, { to_pinned: true, order: 1 }, headers)).body).toMatchObject({ status: 403, code: 'group_required' });
  });
  it('refuses a private bot and a partial bot with empty lists', async () => {
    const { id } = await bots.create('ann');
    expect((await pin(id)).body).toMatchObject({ status: 409, code: 'bot_private' });
    await share(id, { target_shared_scope: 'partial' });
    expect((await pin(id)).body).toMatchObject({ status: 409, code: 'bot_private' });
  });
  it('does not reveal whether there is a private bot when it is unpinned', async () => {
    const { id } = await bots.create('ann');
    expect((await unpin(id)).body).toMatchObject({ status: 404, code: 'bot_not_found' });
    expect((await push(id, { to_pinned: false }, { ...admin(), 'if-match': '"9"' })).body).toMatchObject({ status: 404 });
  });
  it('is in the audit log as an attempt when an administrator is refused', async () => {
    const id = await sharedBot();
    await pin(id);
    const refused: unknown[] = [];
    const listening = await bots.service.host.broker.subscribe({
      group: 'listener',
      topics: ['parlance.bots'],
      handle: async (deliveries) => {
        for (const { event } of deliveries) {
          const { action, resource_id } = event.data as Readonly<Record<string, unknown>>;
          if (event.type.endsWith('action-refused.v1') && resource_id === id) refused.push(action);
        }
      },
    });
    for (const to_pinned of [true, false]) await push(id, { to_pinned, order: 2 }, { ...admin(), 'if-match': '"1"' });
    // A caller who is not an administrator is refused before the body is read.
    await push(id, { to_pinned: false }, bots.creator('ann'));
    await waitFor(() => refused.length >= 3, { what: 'the refusals' });
    expect(refused).toEqual(['pin', 'unpin', 'pin']);
    await listening.stop();
  });
  it('refuses a bot that never existed or was deleted', async () => {
    const id = await sharedBot();
    await remove(id);
    for (const gone of [id, newId()]) expect((await pin(gone)).body).toMatchObject({ status: 404, code: 'bot_not_found' });
  });
  it('is refused if the client names another version than the current one', async () => {
    const id = await sharedBot();
    const pinAt = (etag: string) => push(id, { to_pinned: true, order: 1 }, { ...admin(), 'if-match': etag });
    expect([(await pinAt('"1"')).status, (await pinAt('"2"')).status]).toEqual([412, 200]);
  });
});

describe('a pinned bot', () => {
  it.each([
    ['its owner', owner],
    ['an administrator', () => admin()],
  ])('is not deleted or narrowed by %s', async (_, headers) => {
    const [all, partial] = [await sharedBot('all'), await sharedBot('partial')];
    for (const id of [all, partial]) await pin(id);
    const refused = [
      await remove(all, headers()),
      await share(all, { target_shared_scope: 'private' }, headers()),
      await share(all, toBen, headers()),
      await remove(partial, headers()),
      await share(partial, { target_shared_scope: 'private' }, headers()),
      await share(partial, { target_shared_scope: 'partial', target_allowed_user_ids: [] }, headers()),
    ];
    expect(refused.map(({ status, body }) => `${status} ${body.code}`)).toEqual(refused.map(() => '409 bot_pinned'));
    for (const id of [all, partial]) expect((await bots.get(`/bot/${id}`, owner())).body.status).toBe('pinned@001');
  });
  it('is widened and configured', async () => {
    const id = await sharedBot('partial');
    await pin(id);
    expect((await share(id, { target_shared_scope: 'all' })).body).toMatchObject({ shared_scope: 'all', status: 'pinned@001' });
    expect((await bots.ask('PATCH', `/bot/${id}`, owner(), { title: 'Map' })).body.status).toBe('pinned@001');
  });
  it('is listed by order, then by title in either case, for users who may see it', async () => {
    const only = await BotsUnderTest.start();
    const make = async (title: string, order: number, scope = 'all') => {
      const { id } = await only.create('ann', { title });
      await only.share('ann', id, scope, { target_allowed_user_ids: [ben] });
      await only.ask('PATCH', `/admin/bot/${id}/pushed`, only.service.as('root', 'Admin'), { to_pinned: true, order });
      return id;
    };
    const [last, b, a, c, bens] = [
      await make('A', 999),
      await make('b', 2),
      await make('A', 2),
      await make('C', 2),
      await make('z', 1, 'partial'),
    ];
    const pinned = async (userId: string, query = '') => idsOf(await only.get(`/bot/pinned${query}`, only.service.as(userId)));
    expect(await pinned(ben)).toEqual([bens, a, b, c, last]);
    expect(await pinned('eve')).toEqual([a, b, c, last]);
    await only.ask('PATCH', `/bot/${a}`, only.service.as('ann'), { title: 'D' });
    expect(await pinned('eve')).toEqual([b, c, a, last]);
    const pages: string[] = [];
    for (let token: string | null = ''; token !== null;) {
      const { body } = await only.get(`/bot/pinned?limit=1${token === '' ? '' : `&next_token=${token}`}`, only.service.as('eve'));
      pages.push(body.bots[0].id);
      token = body.next_token as string | null;
      // A token must not keep a title beyond an erasure.
      expect(Buffer.from(token ?? '', 'base64url').toString()).not.toContain('title');
    }
    expect(pages).toEqual([b, c, a, last]);
    await only.stop();
  });
});

/** Requests of the owner and of two administrators that arrive at the same moment. */
const ACTIONS: Readonly<Record<string, (id: string) => Promise<Answer>>> = {
  pin: (id) => pin(id, 1, 'root'),
  'pin with another order': (id) => pin(id, 2, 'rita'),
  unpin: (id) => unpin(id, 'rita'),
  'narrow to private': (id) => share(id, { target_shared_scope: 'private' }),
  'narrow to private, by an administrator': (id) => share(id, { target_shared_scope: 'private' }, admin('rita')),
  'narrow to partial': (id) => share(id, toBen),
  'empty the lists': (id) => share(id, { target_shared_scope: 'partial', target_allowed_user_ids: [] }),
  'share with all': (id) => share(id, { target_shared_scope: 'all' }),
  delete: (id) => remove(id),
};

describe('races', () => {
  const isDone = ({ status }: Answer) => status === 200 || status === 204;
  const codeOf = ({ status, body }: Answer) => (isDone({ status } as Answer) ? 'done' : body.code);

  it.each([
    ['narrow to private', 'bot_private'],
    ['empty the lists', 'bot_private'],
    ['delete', 'bot_not_found'],
  ])('exactly one of pin and %s wins', async (action, refusalOfPin) => {
    const winners = new Set<string>();
    for (let index = 0; index < 40; index++) {
      const id = await sharedBot('partial');
      const order = index % 2 === 0 ? ['pin', action] : [action, 'pin'];
      const first = ACTIONS[order[0]!]!(id);
      // The second request starts later in each round. In the last rounds it starts when the first is done, so that each of them wins at least once.
      if (index >= 38) await first;
      else for (let turns = 0; turns < index / 2; turns++) await setImmediate();
      const answers = await Promise.all([first, ACTIONS[order[1]!]!(id)]);
      const [ofPin, ofOther] = [answers[order.indexOf('pin')]!, answers[order.indexOf(action)]!].map(codeOf);
      expect([
        ['done', 'bot_pinned'],
        [refusalOfPin, 'done'],
      ]).toContainEqual([ofPin, ofOther]);
      winners.add(ofPin === 'done' ? 'pin' : action);
      const after = await bots.get(`/bot/${id}`, owner());
      expect([after.status === 200 && after.body.status.startsWith('pinned'), after.status]).toEqual([
        ofPin === 'done',
        ofPin !== 'done' && action === 'delete' ? 404 : 200,
      ]);
    }
    expect([...winners].sort()).toEqual(['pin', action].sort());
  });

  it('leave no bot that is pinned and private, pinned and deleted, or pinned with empty lists', () =>
    fc.assert(
      fc.asyncProperty(
        fc.constantFrom('partial' as const, 'all' as const),
        fc.boolean(),
        fc.shuffledSubarray(Object.keys(ACTIONS), { minLength: 2 }),
        async (scope, isPinned, actions) => {
          const id = await sharedBot(scope);
          if (isPinned) await pin(id);
          const answers = await Promise.all(actions.map((action) => ACTIONS[action]!(id)));
          for (const answer of answers)
            expect(['done', 'bot_pinned', 'bot_private', 'bot_not_found', 'version_conflict']).toContain(codeOf(answer));
          const { status, body } = await bots.get(`/bot/${id}`, owner());
          const pinned = idsOf(await bots.get('/bot/pinned?limit=1000', admin())).includes(id);
          const isDeleted = actions.some((action, index) => action === 'delete' && isDone(answers[index]!));
          expect(status).toBe(isDeleted ? 404 : 200);
          if (isDeleted) return expect(pinned).toBe(false);
          expect(body.status.startsWith('pinned@')).toBe(pinned);
          if (pinned) expect(body.shared_scope === 'all' || body.allowed_user_ids.length > 0).toBe(true);
          expect(body.status === 'unshared').toBe(body.shared_scope === 'private');
        },
      ),
      { numRuns: 80 },
    ));
});
