import { afterAll, describe, expect, it } from '@jest/globals';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { newId } from '@parlance/event-store';
import { ExecuteShelf } from '../src/commands/aggregates.ts';
import { shelfId } from '../src/domain/shelf.ts';
import { groupAudience, SHARED_AUDIENCE, userAudience } from '../src/domain/sharing.ts';
import { STEP } from '../src/projections/bots/bot-lists.ts';
import { BotsListedUnder } from '../src/projections/bots/bot-queries.ts';
import { BotsUnderTest, idsOf } from './bots-under-test.ts';

const bots = await BotsUnderTest.start();
afterAll(() => bots.stop());

const list = async (userId: string, query = '') => idsOf(await bots.get(`/bot?${query}`, bots.service.as(userId)));
const star = (userId: string, id: string, starred = true) => bots.ask('PATCH', `/bot/${id}/starred`, bots.service.as(userId), { starred });
const removeFromRecent = (userId: string, id: string) => bots.ask('DELETE', `/bot/${id}/recently-used`, bots.service.as(userId));
/** Times of uses, in order. The first ones are before all actions of a test. */
const at = (seconds: number, now = Date.now()) => new Date(now + seconds * 1000);

/** Two users with their own bots, bots for each other, and bots for all. They are the newest bots of the test. */
async function stage() {
  const [ann, ben] = [newId(), newId()];
  const own = [await bots.create(ann), await bots.create(ann), await bots.create(ann)].map(({ id }) => id).reverse();
  const others = [await bots.create(ben), await bots.create(ben), await bots.create(ben)].map(({ id }) => id).reverse();
  // These bots are shared with one user, so that public bots of other tests do not interfere.
  for (const id of others) await bots.share(ben, id, 'partial', { target_allowed_user_ids: [ann] });
  const hidden = (await bots.create(ben)).id;
  return { ann, ben, own, others, hidden };
}

describe('lists of bots', () => {
  it("contain the caller's own bots, newest first, if no kind is given", async () => {
    const { ann, own } = await stage();
    expect(await list(ann)).toEqual(own);
    expect(await list(ann, 'kind=private')).toEqual(own);
  });
  it('contain the shared bots of others, newest first, and no own bots', async () => {
    const { ann, ben, own, others } = await stage();
    await bots.share(ann, own[0]!, 'partial', { target_allowed_user_ids: [ann, ben] });
    expect(await list(ann, 'kind=shared')).toEqual(others);
    expect(await list(ben, 'kind=shared')).toEqual([own[0]]);
  });
  it('contain each shared bot once, however many lists of the bot name the user', async () => {
    const { ann, ben, others } = await stage();
    const lists = { target_allowed_user_ids: [ann], target_allowed_group_ids: [`a${ann}`, `b${ann}`] };
    await bots.share(ben, others[1]!, 'partial', lists);
    const answer = await bots.get('/bot?kind=shared', bots.service.as(ann, `a${ann}`, `b${ann}`));
    expect(idsOf(answer)).toEqual(others);
  });
  it('show the icon and the colour of a bot', async () => {
    const { ann, own } = await stage();
    await bots.ask('PATCH', `/bot/${own[1]}`, bots.creator(ann), { icon: 'leaf', colour: 'green' });
    const { body } = await bots.get('/bot', bots.service.as(ann));
    const shown = body.bots.map(({ icon, colour }: { icon: string | null; colour: string | null }) => [icon, colour]);
    expect(shown).toEqual([
      [null, null],
      ['leaf', 'green'],
      [null, null],
    ]);
  });
  it('contain the recently used bots, most recently used first', async () => {
    const { ann, own, others, hidden } = await stage();
    const order = [others[2]!, own[1]!, others[0]!, hidden];
    await bots.use(...order.map((botId, index) => ({ userId: ann, botId, at: at(index - 60) })));
    expect(await list(ann, 'kind=mixed')).toEqual([others[0], own[1], others[2]]);
    await bots.use({ userId: ann, botId: others[2]!, at: at(-30) });
    expect(await list(ann, 'kind=mixed')).toEqual([others[2], others[0], own[1]]);
  });
  it('show when the caller last used a bot, and not when others did', async () => {
    const { ann, ben, others } = await stage();
    const time = at(-10);
    await bots.use({ userId: ann, botId: others[0]!, at: time });
    const find = async (userId: string) => (await bots.get(`/bot/${others[0]}`, bots.service.as(userId))).body.last_used_time;
    expect([await find(ann), await find(ben)]).toEqual([Math.floor(time.getTime() / 1000), null]);
  });
  it('keep the time of the last use when an earlier use arrives later', async () => {
    const ann = newId();
    const { id } = await bots.create(ann);
    const [last, before] = [at(-10), at(-60)];
    await bots.use({ userId: ann, botId: id, at: last });
    await bots.use({ userId: ann, botId: id, at: before });
    const { body } = await bots.get('/bot?kind=mixed', bots.service.as(ann));
    expect(body.bots[0].last_used_time).toBe(Math.floor(last.getTime() / 1000));
  });
  it('lose a deleted bot and a bot that is no longer shared at once', async () => {
    const { ann, ben, others } = await stage();
    for (const [index, id] of others.entries()) {
      await star(ann, id);
      await bots.use({ userId: ann, botId: id, at: at(-index - 1) });
    }
    await bots.ask('DELETE', `/bot/${others[0]}`, bots.service.as(ben));
    await bots.share(ben, others[1]!, 'private');
    for (const query of ['kind=shared', 'kind=mixed', 'kind=shared&starred=true', 'kind=mixed&starred=true'])
      expect([query, await list(ann, query)]).toEqual([query, [others[2]]]);
  });
  it('leave no rows of a deleted bot under its audiences', async () => {
    const [ann, ben] = [newId(), newId()];
    const { id } = await bots.create(ben);
    await bots.share(ben, id, 'all', { target_allowed_user_ids: [ann], target_allowed_group_ids: ['readers'] });
    const audiences = [SHARED_AUDIENCE, userAudience(ann), groupAudience('readers')];
    const listed = async () => {
      const found = await Promise.all(audiences.map((audience) => bots.app.get(QueryBus).execute(new BotsListedUnder(audience))));
      return found.map((ids) => ids.includes(id));
    };
    expect(await listed()).toEqual([true, true, true]);
    await bots.ask('DELETE', `/bot/${id}`, bots.service.as(ben));
    expect(await listed()).toEqual([false, false, false]);
  });
  it.each(['kind=all', 'limit=0', 'limit=1001', 'limit=x', 'starred=yes', 'page=2', 'kind=private&kind=shared'])(
    'refuse ?%s',
    async (query) => {
      const { status, body } = await bots.get(`/bot?${query}`, bots.service.as('ann'));
      expect([status, body.code, body.errors[0].path]).toEqual([400, 'invalid_query', query.split('=')[0]]);
    },
  );
  it('refuse a token that was changed, or of another list or user', async () => {
    const { ann, ben } = await stage();
    const { next_token } = (await bots.get('/bot?limit=1', bots.service.as(ann))).body;
    const next = async (userId: string, query: string) => (await bots.get(`/bot?limit=1&${query}`, bots.service.as(userId))).body.code;
    expect(await next(ann, `next_token=${next_token}`)).toBeUndefined();
    const wrong = [
      await next(ben, `next_token=${next_token}`),
      await next(ann, `kind=shared&next_token=${next_token}`),
      await next(ann, `starred=false&next_token=${next_token}`),
      await next(ann, `next_token=${next_token.slice(0, -3)}${next_token.at(-3) === 'A' ? 'B' : 'A'}${next_token.slice(-2)}`),
    ];
    expect(wrong).toEqual(wrong.map(() => 'invalid_next_token'));
  });
});

describe('pages of a list', () => {
  const kinds = ['private', 'shared', 'mixed'].flatMap((kind) =>
    ['', '&starred=true', '&starred=false'].map((starred) => `kind=${kind}${starred}`),
  );
  it.each(kinds.flatMap((query) => [1, 2, 3].map((limit) => [query, limit] as const)))(
    'with ?%s and a limit of %d contain each bot once, in order, while bots are added, starred and used',
    async (query, limit) => {
      const { ann, ben, own, others } = await stage();
      for (const [index, id] of [...own, ...others].entries()) {
        if (index % 3 !== 0) await star(ann, id);
        await bots.use({ userId: ann, botId: id, at: at(-index - 10) });
      }
      const expected = await list(ann, query);
      expect(expected.length).toBeGreaterThan(0);
      const found: string[] = [];
      for (let token: string | null = ''; token !== null;) {
        const answer = await bots.get(`/bot?${query}&limit=${limit}${token && `&next_token=${token}`}`, bots.service.as(ann));
        found.push(...idsOf(answer));
        token = answer.body.next_token;
        if (token !== null) expect(answer.body.bots).toHaveLength(limit);
        // New bots come before all pages.
        const [ownBot, sharedBot] = [await bots.create(ann), await bots.create(ben)];
        await bots.share(ben, sharedBot.id, 'partial', { target_allowed_user_ids: [ann] });
        await star(ann, ownBot.id);
        await bots.use({ userId: ann, botId: sharedBot.id, at: at(found.length) });
      }
      expect(found).toEqual(expected);
    },
  );
  it('stay full when bots of the list are left out', async () => {
    const ann = newId();
    const ids: string[] = [];
    for (let index = 0; index < 9; index++) ids.unshift((await bots.create(ann)).id);
    for (const index of [0, 4, 8]) await star(ann, ids[index]!);
    const { body } = await bots.get('/bot?starred=false&limit=5', bots.service.as(ann));
    expect(body.bots).toHaveLength(5);
    expect(await list(ann, 'starred=false&limit=6')).toEqual(ids.filter((_, index) => index % 4 !== 0));
  });
  it('contain the bots of all audiences when more bots are left out than one step reads', async () => {
    const [ann, ben] = [newId(), newId()];
    const first = (await bots.create(ben)).id;
    await bots.share(ben, first, 'partial', { target_allowed_user_ids: [ann] });
    const shareWithTeam = async () => {
      const { id } = await bots.create(ben);
      await bots.share(ben, id, 'partial', { target_allowed_group_ids: ['left-out'] });
      return id;
    };
    const second = await shareWithTeam();
    const commands = bots.app.get(CommandBus);
    for (let index = 0; index < STEP; index++)
      await commands.execute(new ExecuteShelf(shelfId(ann, await shareWithTeam()), { type: 'Star' }));
    const asAnn = bots.service.as(ann, 'left-out');
    expect(idsOf(await bots.get('/bot?kind=shared&starred=false', asAnn))).toEqual([second, first]);
  });
});

describe('the shelf', () => {
  const shelf = async (userId: string, query = '') => idsOf(await bots.get(`/bot/shelf${query}`, bots.service.as(userId)));
  const push = (id: string, body: object) => bots.ask('PATCH', `/admin/bot/${id}/pushed`, bots.service.as('root', 'Admin'), body);

  it('has starred bots, then recently used ones, then pinned ones, each once, and none that the user may not see', async () => {
    const { ann, ben, own, others, hidden } = await stage();
    expect(await shelf(ann)).toEqual([]);
    const order = [others[2]!, own[1]!, hidden, others[0]!];
    await bots.use(...order.map((botId, index) => ({ userId: ann, botId, at: at(index - 60) })));
    for (const id of [others[1]!, others[0]!, own[2]!]) await star(ann, id);
    for (const [index, id] of [others[2]!, others[1]!].entries()) await push(id, { to_pinned: true, order: index + 1 });
    const expected = [own[2], others[0], others[1], own[1], others[2]];
    expect(await shelf(ann)).toEqual(expected);
    expect(await shelf(ann, '?limit=4')).toEqual(expected.slice(0, 4));
    expect(await shelf(ann, '?limit=2')).toEqual(expected.slice(0, 2));
    await star(ann, own[2]!, false);
    await removeFromRecent(ann, others[2]!);
    // Pinned only.
    expect((await shelf(ann)).at(-1)).toBe(others[2]);
    expect(await shelf(ben)).toEqual([others[2], others[1]]);
    for (const id of [others[2]!, others[1]!]) await push(id, { to_pinned: false });
  });
  it.each(['limit=0', 'limit=101', 'next_token=x'])('refuses ?%s', async (query) => {
    const { status, body } = await bots.get(`/bot/shelf?${query}`, bots.service.as('ann'));
    expect([status, body.code]).toEqual([400, 'invalid_query']);
  });
});

describe('starring a bot', () => {
  it('shows the star only to the caller', async () => {
    const { ann, ben, others } = await stage();
    const { status, body } = await star(ann, others[0]!);
    expect([status, body.is_starred, body.version]).toEqual([200, true, 2]);
    const seen = async (userId: string) => (await bots.get(`/bot/${others[0]}`, bots.service.as(userId))).body.is_starred;
    expect([await seen(ann), await seen(ben)]).toEqual([true, false]);
    expect((await star(ann, others[0]!, false)).body.is_starred).toBe(false);
    expect(await seen(ann)).toBe(false);
  });
  it('has the same answer when repeated', async () => {
    const { ann, own } = await stage();
    expect((await star(ann, own[0]!)).body).toEqual((await star(ann, own[0]!)).body);
  });
  it('selects bots in lists of each kind', async () => {
    const { ann, own, others } = await stage();
    for (const id of [own[1]!, others[1]!]) await star(ann, id);
    // A use may take longer than a second.
    const now = Date.now();
    for (const [index, id] of [...own, ...others].entries()) await bots.use({ userId: ann, botId: id, at: at(-index - 1, now) });
    expect(await list(ann, 'starred=true')).toEqual([own[1]]);
    expect(await list(ann, 'starred=false')).toEqual([own[0], own[2]]);
    expect(await list(ann, 'kind=shared&starred=true')).toEqual([others[1]]);
    expect(await list(ann, 'kind=shared&starred=false')).toEqual([others[0], others[2]]);
    expect(await list(ann, 'kind=mixed&starred=true')).toEqual([own[1], others[1]]);
    expect(await list(ann, 'kind=mixed&starred=false')).toEqual([own[0], own[2], others[0], others[2]]);
  });
  it.each([[{}], [{ starred: 'yes' }]])('refuses %j', async (body) => {
    const { ann, own } = await stage();
    const answer = await bots.ask('PATCH', `/bot/${own[0]}/starred`, bots.service.as(ann), body);
    expect([answer.status, answer.body.errors[0].path]).toEqual([400, 'starred']);
  });
});

describe('removing a bot from the recently used bots', () => {
  it('hides it there until it is used again, and keeps its star', async () => {
    const { ann, own } = await stage();
    await star(ann, own[0]!);
    await bots.use({ userId: ann, botId: own[0]!, at: at(-2) }, { userId: ann, botId: own[1]!, at: at(-1) });
    expect((await removeFromRecent(ann, own[0]!)).status).toBe(204);
    expect(await list(ann, 'kind=mixed')).toEqual([own[1]]);
    expect((await bots.get(`/bot/${own[0]}`, bots.service.as(ann))).body).toMatchObject({ last_used_time: null, is_starred: true });
    await bots.use({ userId: ann, botId: own[0]!, at: at(2) });
    expect(await list(ann, 'kind=mixed')).toEqual([own[0], own[1]]);
  });
  it('does not change the list of another user', async () => {
    const { ann, ben, others } = await stage();
    for (const userId of [ann, ben]) await bots.use({ userId, botId: others[0]!, at: at(-1) });
    await removeFromRecent(ann, others[0]!);
    expect([await list(ann, 'kind=mixed'), await list(ben, 'kind=mixed')]).toEqual([[], [others[0]]]);
  });
});
