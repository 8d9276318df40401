import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BotDeleted } from '@parlance/contracts';
import { newId } from '@parlance/event-store';
import { KeysOfUsers } from '@parlance/foundation/harness';
import { ReadModels } from '@parlance/read-models';
import { waitFor } from '@parlance/testing';
import { BotsUnderTest, idsOf } from './bots-under-test.ts';

describe('when a user is erased', () => {
  let bots: BotsUnderTest;
  const keys = new KeysOfUsers();
  const deleted: unknown[] = [];
  const find = async (userId: string, id: string) => (await bots.get(`/bot/${id}`, bots.service.as(userId))).status;
  /** Erases a user as identity does: the key is destroyed first. */
  const erase = async (userId: string) => {
    await keys.erase(userId);
    return (await bots.ask('POST', '/internal/erasures', bots.service.asService('identity'), { user_id: userId })).body;
  };
  const receipt = (count: number, shelf_entries = 0) => ({ service: 'bots', removed: { bots: count, shelf_entries, files: 0, chunks: 0 } });
  const star = (userId: string, id: string) => bots.ask('PATCH', `/bot/${id}/starred`, bots.service.as(userId), { starred: true });
  const [ann, ben] = [newId(), newId()];

  beforeAll(async () => {
    bots = await BotsUnderTest.start();
    await keys.enter(bots.service.host);
    await bots.service.host.broker.subscribe({
      group: 'listener',
      topics: ['parlance.bots'],
      handle: async (deliveries) => {
        for (const { event } of deliveries) if (event.type === BotDeleted.type) deleted.push((event.data as BotDeleted).bot_id);
      },
    });
  });
  afterAll(() => bots.stop());

  it('the bots of the user are deleted, and no others', async () => {
    const [one, other, bens] = [(await bots.create(ann)).id, (await bots.create(ann)).id, (await bots.create(ben)).id];
    expect(await erase(ann)).toEqual(receipt(2));
    expect([await find(ann, one), await find(ann, other), await find(ben, bens)]).toEqual([404, 404, 200]);
    await waitFor(() => deleted.length === 2, { what: 'the deletions to be published' });
    expect(deleted.toSorted()).toEqual([one, other].toSorted());
  });
  it('the last titles of bots that were deleted before are removed, and those of others are kept', async () => {
    const [cat, dan] = [newId(), newId()];
    const [cats, dans] = [(await bots.create(cat, { title: 'Of Cat' })).id, (await bots.create(dan, { title: 'Of Dan' })).id];
    const titles = async () => {
      const query = { bot_ids: [cats, dans] };
      return (await bots.ask('POST', '/internal/bots/titles', bots.service.asService('analytics'), query)).body.titles;
    };
    for (const [owner, id] of [
      [cat, cats],
      [dan, dans],
    ] as const)
      expect((await bots.ask('DELETE', `/bot/${id}`, bots.service.as(owner))).status).toBe(204);
    expect(await titles()).toEqual({ [cats]: 'Of Cat', [dans]: 'Of Dan' });
    await erase(cat);
    expect(await titles()).toEqual({ [dans]: 'Of Dan' });
    const rows = bots.app.get(ReadModels);
    expect(
      (
        await rows.find(
          { name: 'last_titles', indexes: { byOwner: ['owner_user_id'] } },
          { index: 'byOwner', where: { owner_user_id: cat }, limit: 1 },
        )
      ).keys,
    ).toEqual([]);
  });
  it('the receipt stays the same when it is requested again', async () => {
    expect(await erase(ann)).toEqual(receipt(2));
    expect(await erase(newId())).toEqual(receipt(0));
  });
  it('the user can create no further bots', async () => {
    const { body } = await bots.ask('POST', '/bot', bots.creator(ann), { title: 'Late' });
    expect(body).toMatchObject({ status: 401, code: 'invalid_token' });
  });
  it('pinned and public bots are deleted too', async () => {
    const cat = newId();
    const { id } = await bots.create(cat, { title: 'Pinned' });
    await bots.share(cat, id, 'all');
    await bots.ask('PATCH', `/admin/bot/${id}/pushed`, bots.service.as('root', 'Admin'), { to_pinned: true, order: 1 });
    expect(await erase(cat)).toEqual(receipt(1));
    for (const url of ['/bot/pinned', '/bot?kind=shared', '/store/search?query=pinned'])
      expect(idsOf(await bots.get(url, bots.service.as(ben)))).toEqual([]);
  });
  it('the shelf and the recently used bots of the user are removed', async () => {
    const cat = newId();
    const ids = [(await bots.create(ben)).id, (await bots.create(ben)).id];
    for (const id of ids) {
      await bots.share(ben, id, 'all');
      await star(cat, id);
      await star(ben, id);
      await bots.use({ userId: cat, botId: id });
    }
    const list = async (userId: string, kind: string) => (await bots.get(`/bot?${kind}`, bots.service.as(userId))).body.bots.length;
    expect([await list(cat, 'kind=shared&starred=true'), await list(cat, 'kind=mixed')]).toEqual([2, 2]);
    expect(await erase(cat)).toEqual(receipt(0, 2));
    await bots.service.hear('parlance.identity.user-erased.v1', `user-${cat}`, { user_id: cat });
    await waitFor(async () => (await list(cat, 'kind=mixed')) === 0, { what: 'the uses to be removed' });
    expect([await list(cat, 'kind=shared&starred=true'), await list(ben, 'starred=true')]).toEqual([0, 2]);
    expect(await erase(cat)).toEqual(receipt(0, 2));
  });
  it.each(['partial', 'all'])('the user is removed from the lists of other bots with scope %s', async (scope) => {
    const [cat, dan] = [newId(), newId()];
    const { id } = await bots.create(ben);
    await bots.share(ben, id, scope, { target_allowed_user_ids: [cat, dan], target_editor_user_ids: [cat] });
    expect(await erase(cat)).toEqual(receipt(0));
    const { body } = await bots.get(`/bot/${id}`, bots.service.as(ben));
    expect([body.shared_scope, body.allowed_user_ids, body.editor_user_ids]).toEqual([scope, [dan], []]);
    expect([await find(cat, id), await find(dan, id)]).toEqual([scope === 'all' ? 200 : 404, 200]);
  });
  it('the event alone causes the erasure', async () => {
    const dan = newId();
    const { id } = await bots.create(dan);
    await bots.service.hear('parlance.identity.user-erased.v1', `user-${dan}`, { user_id: dan });
    await waitFor(async () => (await find(dan, id)) === 404, { what: 'the bot to be deleted' });
    expect(await erase(dan)).toEqual(receipt(1));
  });
  it('services can request the erasure, and clients cannot', async () => {
    const answer = await bots.ask('POST', '/internal/erasures', bots.service.as('root', 'Admin'), { user_id: ben });
    expect(answer.status).toBe(404);
  });
});

describe('when a group is deleted', () => {
  it('it is removed from the lists of all bots', async () => {
    const bots = await BotsUnderTest.start();
    const { id } = await bots.create('ann');
    await bots.share('ann', id, 'partial', { target_allowed_group_ids: ['team', 'readers'], target_editor_group_ids: ['team'] });
    await bots.service.hear('parlance.identity.group-deleted.v1', 'group-team', { group: 'team' });
    const seen = async (group: string) => (await bots.get(`/bot/${id}`, bots.service.as('ben', group))).status;
    await waitFor(async () => (await seen('team')) === 404, { what: 'the group to be removed' });
    expect(await seen('readers')).toBe(200);
    const { body } = await bots.get(`/bot/${id}/history`, bots.service.as('ann'));
    expect(body.versions[0]).toMatchObject({ change: 'narrowed', user_id: null });
    await bots.stop();
  });
});
