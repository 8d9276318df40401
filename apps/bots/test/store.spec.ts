import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { BotsUnderTest, idsOf } from './bots-under-test.ts';

const DAY = 24 * 60 * 60 * 1000;

let [ann, ben, eve] = ['', '', ''];
const bots = await BotsUnderTest.start();
afterAll(() => bots.stop());
// Bots are shared with one user of the test, so that tests do not find the bots of others.
beforeEach(() => {
  [ann, ben, eve] = [newId(), newId(), newId()];
});

async function shared(body: object): Promise<string> {
  const { id } = await bots.create(ann, body);
  await bots.share(ann, id, 'partial', { target_allowed_user_ids: [ben] });
  return id;
}
const titled = (...titles: string[]) => Promise.all(titles.map((title) => shared({ title })));
const read = async (path: string, user = ben) => bots.get(path, bots.service.as(user));
const search = async (query: string, user = ben) => idsOf(await read(`/store/search?query=${encodeURIComponent(query)}`, user));
const remove = (id: string) => bots.ask('DELETE', `/bot/${id}`, bots.service.as(ann));
const rename = (id: string, title: string) => bots.ask('PATCH', `/bot/${id}`, bots.service.as(ann), { title });
/** The clock of the service may be ahead, so the numbers of uses are read again. */
const popular = async (user = ben) => {
  bots.service.later(60_000);
  return idsOf(await read('/store/popular', user));
};
const pickup = async (user = ben) => idsOf(await read('/store/pickup', user));

/** All bots of a list. `meanwhile` is called after each page with the bots found so far. */
async function pages(path: string, limit: number, meanwhile: (found: readonly string[]) => Promise<unknown> = async () => null) {
  const found: string[] = [];
  for (let token: string | null = ''; token !== null;) {
    const answer = await read(`${path}${path.includes('?') ? '&' : '?'}limit=${limit}${token && `&next_token=${token}`}`);
    found.push(...idsOf(answer));
    token = answer.body.next_token;
    if (token !== null) expect(idsOf(answer)).toHaveLength(limit);
    await meanwhile(found);
  }
  return found;
}

describe('the search of the store', () => {
  it.each([
    ['a word in either case', 'TRAVEL', [0]],
    ['another form of the word', 'travels travelling', [0]],
    ['the beginning of a word', 'trav', [0]],
    ['a word with a typo', 'travle', [0]],
    ['a word of the description', 'passport', [0]],
    ['words in any order', 'planner travel', [0]],
    ['a phrase', '"travel planner"', [0]],
    ['a phrase in another order', '"planner travel"', []],
    ['a word that is not in the bot', 'cooking', []],
    ['a query without words', '?!', []],
  ])('finds %s: %s', async (_, query, expected) => {
    const ids = [await shared({ title: 'Travel planner', description: 'Knows your passport.' }), await shared({ title: 'Tax advice' })];
    expect(await search(query)).toEqual(expected.map((index) => ids[index]));
  });
  it('ranks matches in the title before matches in the description', async () => {
    const described = await shared({ title: 'Helper', description: 'About whales' });
    const [titledWhales] = await titled('Whales');
    const later = await shared({ title: 'Helper', description: 'About whales, too' });
    expect(await search('whales')).toEqual([titledWhales, later, described]);
  });
  it("finds the caller's own bots and shared bots, and no others", async () => {
    const [id] = await titled('Compass');
    const own = (await bots.create(ann, { title: 'Compass' })).id;
    expect([await search('compass', ann), await search('compass', ben), await search('compass', eve)]).toEqual([[own, id], [id], []]);
  });
  it('finds a renamed bot only by its new title', async () => {
    const [id] = await titled('Lantern');
    expect(await search('lantern')).toEqual([id]);
    await rename(id!, 'Beacon');
    expect([await search('lantern'), await search('beacon')]).toEqual([[], [id]]);
  });
  it('finds a bot only by its new description', async () => {
    const id = await shared({ title: 'Bot', description: 'about rivers' });
    await bots.ask('PATCH', `/bot/${id}`, bots.service.as(ann), { description: 'about mountains' });
    expect([await search('rivers'), await search('mountains')]).toEqual([[], [id]]);
  });
  it('finds a restored bot by the title of its old version', async () => {
    const [id] = await titled('Harbour');
    await rename(id!, 'Airport');
    await bots.ask('POST', `/bot/${id}/restore`, bots.service.as(ann), { version: 1 });
    expect([await search('airport'), await search('harbour')]).toEqual([[], [id]]);
  });
  it.each([1, 2, 3])('has pages of %d with each bot once while bots are added, removed and renamed', async (limit) => {
    const ids = await titled(...Array.from({ length: 9 }, () => 'Orchard'));
    const expected = await search('orchard');
    const gone = new Set<string>();
    const found = await pages('/store/search?query=orchard', limit, async (before) => {
      // A bot of a later page is removed, and a new one comes first.
      const last = ids.find((id) => !before.includes(id) && !gone.has(id) && gone.size < 2);
      if (last !== undefined) {
        gone.add(last);
        if (gone.size === 1) await remove(last);
        else await rename(last, 'Meadow');
      }
      if (before.length < 5) await titled('Orchard');
    });
    const old = found.filter((id) => ids.includes(id));
    expect(new Set(found).size).toBe(found.length);
    expect(old).toEqual(expected.filter((id) => !gone.has(id)));
  });
  it('fills a page with as many bots as requested, even when a bot of the page is deleted', async () => {
    const ids = (await titled(...Array.from({ length: 6 }, () => 'Quarry'))).sort().reverse();
    expect(await search('quarry')).toEqual(ids);
    await remove(ids[0]!);
    const page = await read('/store/search?query=quarry&limit=2');
    expect([idsOf(page), page.body.next_token]).toEqual([ids.slice(1, 3), expect.any(String)]);
  });
  it.each([
    ['no query', '', 'query'],
    ['an empty query', '?query=', 'query'],
    ['a query of 201 characters', `?query=${'x'.repeat(201)}`, 'query'],
    ['a limit of 0', '?query=x&limit=0', 'limit'],
    ['an unknown parameter', '?query=x&sort=title', 'sort'],
  ])('refuses %s', async (_, query, path) => {
    const { status, body } = await read(`/store/search${query}`);
    expect([status, body.code, body.errors[0].path]).toEqual([400, 'invalid_query', path]);
  });
  it('refuses the token of another query or user', async () => {
    await titled('Violin', 'Violin');
    const { next_token } = (await read('/store/search?query=violin&limit=1')).body;
    expect((await read(`/store/search?query=viola&limit=1&next_token=${next_token}`)).body.code).toBe('invalid_next_token');
    expect((await read(`/store/search?query=violin&limit=1&next_token=${next_token}`, ann)).body.code).toBe('invalid_next_token');
  });
});

describe('popular bots', () => {
  it('are ordered by their uses, and unused bots are left out', async () => {
    const [none, one, three] = await titled('A', 'B', 'C');
    await bots.use(...[one!, three!, three!, three!].map((botId) => ({ userId: newId(), botId })));
    const found = await popular();
    expect([found.filter((id) => [none, one, three].includes(id)), await popular(eve)]).toEqual([[three, one], []]);
  });
  it('are ordered by the age of their uses: three uses two weeks ago count less than one today', async () => {
    // In a separate service, because numbers of earlier days are read once.
    const only = await BotsUnderTest.start();
    const [old, recent] = [await only.create(ann), await only.create(ann)].map(({ id }) => id) as [string, string];
    const at = new Date(Date.now() - 14 * DAY);
    await only.use(...[old, old, old].map((botId) => ({ userId: newId(), botId, at })), { userId: newId(), botId: recent });
    expect(idsOf(await only.get('/store/popular', only.service.as(ann)))).toEqual([recent, old]);
    only.service.later(17 * DAY);
    expect(idsOf(await only.get('/store/popular', only.service.as(ann)))).toEqual([recent]);
    await only.stop();
  });
  it('count the uses of a whole day, even if the numbers were last read in the middle of that day', async () => {
    const only = await BotsUnderTest.start();
    const [early, late] = [await only.create(ann), await only.create(ann)].map(({ id }) => id) as [string, string];
    await only.use({ userId: newId(), botId: early });
    expect(idsOf(await only.get('/store/popular', only.service.as(ann)))).toEqual([early]);
    await only.use(...[late, late].map((botId) => ({ userId: newId(), botId })));
    only.service.later(2 * DAY);
    expect(idsOf(await only.get('/store/popular', only.service.as(ann)))).toEqual([late, early]);
    await only.stop();
  });
  it('have pages with each bot once, the newest of equal ones first', async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, () => shared({ title: 'A' })));
    await bots.use(...ids.map((botId) => ({ userId: newId(), botId })));
    const expected = ids.sort().reverse();
    bots.service.later(60_000);
    for (const limit of [1, 2, 3]) expect(await pages('/store/popular', limit)).toEqual(expected);
  });
});

describe('the pickup of a day', () => {
  it('contains all visible bots in an order that is fixed for the day and differs between days', async () => {
    const ids = await titled(...Array.from({ length: 12 }, (_, index) => `Bot ${index}`));
    // A test must not begin at the end of a day.
    if (DAY - (Date.now() % DAY) < 60_000) bots.service.later(120_000);
    const first = await pickup();
    expect(first.toSorted()).toEqual(ids.toSorted());
    const added = (await titled('Another'))[0]!;
    expect((await pickup()).filter((id) => id !== added)).toEqual(first);
    for (const limit of [1, 2, 5]) expect((await pages('/store/pickup', limit)).filter((id) => id !== added)).toEqual(first);
    bots.service.later(DAY);
    const second = await pickup();
    expect(second.toSorted()).toEqual([...ids, added].toSorted());
    expect(second.filter((id) => id !== added)).not.toEqual(first);
    expect(await pickup(eve)).toEqual([]);
  });
  it('continues in the order of the day on which its first page was read', async () => {
    await titled(...Array.from({ length: 8 }, (_, index) => `Bot ${index}`));
    const first = await pickup();
    let isNextDay = false;
    const found = await pages('/store/pickup', 3, async () => {
      if (!isNextDay) bots.service.later(DAY);
      isNextDay = true;
    });
    expect(found).toEqual(first);
  });
});

describe('a change of a bot', () => {
  const everywhere = async (id: string) =>
    [await search('comet'), await popular(), await pickup(), idsOf(await read('/bot/pinned'))].map((ids) => ids.includes(id));
  const everywhereAtFirst = async (isPinned: boolean) => {
    const [id] = await titled('Comet');
    await bots.use({ userId: newId(), botId: id!, at: new Date(Date.now() + DAY) });
    if (isPinned) await bots.ask('PATCH', `/admin/bot/${id}/pushed`, bots.service.as('root', 'Admin'), { to_pinned: true, order: 1 });
    expect(await everywhere(id!)).toEqual([true, true, true, isPinned]);
    return id!;
  };
  it('removes a deleted bot at once', async () => {
    const id = await everywhereAtFirst(false);
    await remove(id);
    expect(await everywhere(id)).toEqual([false, false, false, false]);
  });
  it('removes a bot that was made private at once', async () => {
    const id = await everywhereAtFirst(false);
    await bots.share(ann, id, 'private');
    expect(await everywhere(id)).toEqual([false, false, false, false]);
  });
  it('removes a bot, including a pinned one, from the store of a user who is no longer listed', async () => {
    const id = await everywhereAtFirst(true);
    await bots.share(ann, id, 'partial', { target_allowed_user_ids: [eve] });
    expect(await everywhere(id)).toEqual([false, false, false, false]);
    expect(await search('comet', eve)).toEqual([id]);
  });
  it('removes an unpinned bot only from the pinned ones', async () => {
    const id = await everywhereAtFirst(true);
    await bots.ask('PATCH', `/admin/bot/${id}/pushed`, bots.service.as('root', 'Admin'), { to_pinned: false });
    expect(await everywhere(id)).toEqual([true, true, true, false]);
  });
  it('shows a shared bot at once', async () => {
    const { id } = await bots.create(ann, { title: 'Comet' });
    expect(await search('comet')).toEqual([]);
    await bots.share(ann, id, 'partial', { target_allowed_user_ids: [ben] });
    expect(await search('comet')).toEqual([id]);
  });
});
