import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { newId } from '@parlance/event-store';
import type { Sealed } from '@parlance/privacy';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { ExecuteConversation, ExecuteShares } from '../../src/commands/aggregates.ts';
import { conversationSubject } from '../../src/commands/conversation-subject.ts';
import { ConversationOf } from '../../src/projections/conversations.ts';
import { ShareById, SharedPage } from '../../src/projections/shares/shares.ts';
import { type Shared, SharedWorld } from './shared-world.ts';

const world = await SharedWorld.start();
afterAll(() => world.service.stop());

describe('when a share ends', () => {
  const words = 'Zephyrolith bramblewick';
  const sealedOf = async ({ share_id }: Shared) => (await world.buses.queries.execute(new SharedPage(share_id, 0))) as Sealed;
  const opens = async (sealed: Sealed) => (await world.buses.vault.open(sealed)) !== null;

  it('by its owner, its key is destroyed, its rows are removed, and no file has its text', async () => {
    const place = await world.say('eve', words);
    const shared = await world.share('eve', place);
    const sealed = await sealedOf(shared);
    expect(await opens(sealed)).toBe(true);
    expect((await world.revoke('eve', shared)).status).toBe(204);
    expect([await opens(sealed), await sealedOf(shared), await world.buses.queries.execute(new ShareById(shared.share_id))]).toEqual([
      false,
      null,
      null,
    ]);
    expect((await world.read(shared)).status).toBe(404);
    expect(await world.filesWith(words)).toEqual([]);
    expect((await world.call('eve', 'get', `/conversation/${place.conversation_id}`)).status).toBe(200);
  });

  it('by an interrupted revocation, it is in no list, and its key is destroyed later', async () => {
    const shared = await world.share('oda', await world.say('oda', words));
    const sealed = await sealedOf(shared);
    // The first half of a revocation, after which the process dies.
    await world.buses.commands.execute(
      new ExecuteShares('oda', { type: 'Revoke', shareId: shared.share_id, conversationId: shared.conversation_id, by: 'owner' }),
    );
    expect([(await world.read(shared)).status, (await world.call('oda', 'get', '/user/me/shares')).body.shares]).toEqual([404, []]);
    await waitFor(async () => !(await opens(sealed)), { what: 'the end of the key' });
  });

  it('by its owner, it is in no list, even if its key cannot be destroyed at once', async () => {
    const shared = await world.share('pia', await world.say('pia', words));
    const sealed = await sealedOf(shared);
    const broken = jest.spyOn(world.buses.vault, 'shred').mockRejectedValueOnce(new Error('the store of keys is down'));
    expect((await world.revoke('pia', shared)).status).toBe(204);
    expect([(await world.read(shared)).status, (await world.call('pia', 'get', '/user/me/shares')).body.shares]).toEqual([404, []]);
    await waitFor(async () => !(await opens(sealed)), { what: 'the end of the key' });
    broken.mockRestore();
  });

  it('is not shared again by a repeated request, which gets a documented answer', async () => {
    const { conversation_id } = await world.say('quy', 'Once more.');
    const found = await world.buses.queries.execute(new ConversationOf(conversation_id, 'quy'));
    const wanted = { audience: 'signed_in', expiresAt: null, attachments: false, sources: false } as const;
    const shareId = newId();
    await world.sharing.share(found!.row, 'Once more.', shareId, wanted);
    // Also between the end of a share and the destruction of its key.
    await world.buses.commands.execute(new ExecuteShares('quy', { type: 'Revoke', shareId, conversationId: conversation_id, by: 'owner' }));
    const again = () => world.sharing.share(found!.row, 'Once more.', shareId, wanted);
    await expect(again()).rejects.toMatchObject({ code: 'share_not_found' });
    await world.sharing.destroyKey('quy', shareId);
    await expect(again()).rejects.toMatchObject({ code: 'share_not_found' });
    expect((await world.sharing.stateOf('quy')).live).toEqual({});
    const { paths } = (await request(world.service.server).get('/internal/openapi.json').set(world.service.asService('edge'))).body;
    const { responses } = paths['/conversation/{conversationId}/shares'].post;
    expect(JSON.stringify(responses[404])).toContain('share_not_found');
  });

  it('by its owner, a repeated request gets the same answer, and requests that never ended it do not find it', async () => {
    const shared = await world.share('lea', await world.say('lea', 'Once and again.'));
    const answers = [await world.revoke('lea', shared), await world.revoke('lea', shared)];
    expect(answers.map(({ status }) => status)).toEqual([204, 204]);
    expect((await world.publishedEventsOf('lea')).map(({ type }) => type)).toEqual([
      'parlance.inference.conversation-shared.v1',
      'parlance.inference.share-revoked.v1',
    ]);
    const [own, foreign] = [await world.say('lea', 'Other.'), await world.say('ben', 'Foreign.')];
    expect((await world.revoke('lea', { ...shared, ...own })).body.code).toBe('share_not_found');
    expect((await world.revoke('ben', { ...shared, ...foreign })).body.code).toBe('share_not_found');
    expect((await world.revoke('lea', { ...shared, share_id: newId() })).body.code).toBe('share_not_found');
  });

  it('by another user, or by another conversation of the owner, it stays', async () => {
    const shared = await world.share('eve', await world.say('eve', 'Stays.'));
    const other = await world.say('eve', 'Other.');
    expect((await world.revoke('ben', shared)).body.code).toBe('conversation_not_found');
    expect((await world.revoke('eve', { ...shared, ...other })).body.code).toBe('share_not_found');
    expect((await world.read(shared)).status).toBe(200);
  });

  it('by an administrator, who sees no content and no link', async () => {
    const shared = await world.share('fay', await world.say('fay', words));
    const admin = (method: 'get' | 'delete', path: string, ...groups: string[]) => world.call('root', method, path, ...groups);
    const { body, text } = await admin('get', '/admin/shares?limit=1000', 'Admin');
    const listed = (body.shares as Shared[]).find(({ share_id }) => share_id === shared.share_id);
    expect(listed).toMatchObject({ user_id: 'fay', audience: 'signed_in', messages: 2 });
    for (const secret of [words, shared.url.split('/').at(-1)!]) expect(text).not.toContain(secret);
    expect((await admin('get', '/admin/shares')).status).toBe(403);
    expect((await admin('delete', `/admin/shares/${shared.share_id}`)).status).toBe(403);
    expect((await admin('delete', `/admin/shares/${newId()}`, 'Admin')).body.code).toBe('share_not_found');
    expect((await admin('delete', `/admin/shares/${shared.share_id}`, 'Admin')).status).toBe(204);
    expect((await world.read(shared)).status).toBe(404);
  });

  it('by its expiry, it is removed automatically', async () => {
    const inAnHour = Math.floor(Date.now() / 1000) + 3_600;
    const shared = await world.share('gus', await world.say('gus', 'For an hour.'), { expires_at: inAnHour });
    expect((await world.read(shared)).body.expires_at).toBe(inAnHour);
    world.service.later(3_601_000);
    expect((await world.read(shared)).status).toBe(404);
    expect((await world.call('gus', 'get', '/user/me/shares')).body.shares).toEqual([]);
    await waitFor(async () => (await world.buses.queries.execute(new ShareById(shared.share_id))) === null, {
      what: 'the end of the share',
    });
    expect((await world.publishedEventsOf('gus')).map(({ data }) => data['reason'])).toEqual([undefined, 'expired']);
    world.service.later(-3_601_000);
  });

  it('with its conversation, both keys are destroyed', async () => {
    const place = await world.say('hal', words);
    const [shared, other] = [await world.share('hal', place), await world.share('hal', await world.say('hal', 'Other.'))];
    const sealed = await sealedOf(shared);
    const { body } = await world.call('hal', 'delete', `/conversation/${place.conversation_id}`);
    expect(body.removed_from).toContain('shares');
    expect([await opens(sealed), (await world.read(shared)).status, (await world.read(other)).status]).toEqual([false, 404, 200]);
    expect((await world.publishedEventsOf('hal')).at(-1)!.data).toMatchObject({
      share_id: shared.share_id,
      reason: 'conversation_deleted',
    });
    expect(await world.filesWith(words)).toEqual([]);
  });

  it('with its owner, it is in the receipt, and nothing is shared afterwards', async () => {
    const place = await world.say('ida', words);
    const shared = await world.share('ida', place, { audience: 'public' });
    expect(await world.erase('ida')).toMatchObject({ conversations: 1, shares: 1 });
    expect(await world.erase('ida')).toMatchObject({ shares: 1 });
    expect([(await world.read(shared)).status, (await world.read(shared, null)).status]).toEqual([404, 404]);
    expect((await world.publishedEventsOf('ida')).at(-1)!.data).toMatchObject({ share_id: shared.share_id, reason: 'user_erased' });
    expect(await world.filesWith(words)).toEqual([]);
  });

  it('is published without content or link', async () => {
    const place = await world.say('jan', words);
    const shared = await world.share('jan', place, { audience: 'public', include_sources: true });
    await world.revoke('jan', shared);
    const { share_id } = shared;
    const its = { share_id, conversation_id: place.conversation_id, user_id: 'jan', audience: 'public' };
    expect(await world.publishedEventsOf('jan')).toEqual([
      {
        type: 'parlance.inference.conversation-shared.v1',
        data: { ...its, bot_id: null, expires_at: null, include_attachments: false, include_sources: true, messages: 2 },
      },
      { type: 'parlance.inference.share-revoked.v1', data: { ...its, reason: 'owner' } },
    ]);
  });
});

describe('reading and revoking at the same time', () => {
  it('shows a whole page or nothing, and nothing once the revocation is answered', async () => {
    const place = await world.say('kim', 'Now or never.');
    for (let round = 0; round < 5; round++) {
      const shared = await world.share('kim', place);
      const reading = Array.from({ length: 8 }, () => world.read(shared));
      const revoking = [world.revoke('kim', shared), world.revoke('kim', shared)];
      const answers = await Promise.all(reading);
      for (const { status, body } of answers)
        expect(status === 200 ? body.messages.length : body.code).toBe(status === 200 ? 2 : 'share_not_found');
      expect((await Promise.all(revoking)).map(({ status }) => status)).toEqual([204, 204]);
      expect((await Promise.all(Array.from({ length: 4 }, () => world.read(shared)))).map(({ status }) => status)).toEqual([
        404, 404, 404, 404,
      ]);
    }
  });

  it('ends a share that is appended after the deletion of its conversation was recorded', async () => {
    const { conversation_id } = await world.say('max', 'Going.');
    const found = await world.buses.queries.execute(new ConversationOf(conversation_id, 'max'));
    await world.buses.commands.execute(new ExecuteConversation(conversation_id, { type: 'Delete', userId: 'max' }));
    const wanted = { audience: 'signed_in', expiresAt: null, attachments: false, sources: false } as const;
    const sharing = world.sharing.share(found!.row, 'Going.', newId(), wanted);
    await expect(sharing).rejects.toMatchObject({ code: 'conversation_not_found' });
    expect((await world.sharing.stateOf('max')).live).toEqual({});
    expect((await world.publishedEventsOf('max')).map(({ data }) => data['reason'])).toEqual([undefined, 'conversation_deleted']);
  });

  it('is not shown once the deletion of its conversation is recorded', async () => {
    const place = await world.say('rex', 'Going.');
    const shared = await world.share('rex', place);
    await world.buses.commands.execute(new ExecuteConversation(place.conversation_id, { type: 'Delete', userId: 'rex' }));
    expect((await world.read(shared)).body.code).toBe('share_not_found');
  });

  it('needs the key of the conversation too, so that an interrupted deletion leaves nothing readable', async () => {
    const place = await world.say('ned', 'Two keys.');
    const shared = await world.share('ned', place);
    expect((await world.read(shared)).status).toBe(200);
    await world.buses.vault.shred(conversationSubject(place.conversation_id, 'ned').id);
    expect((await world.read(shared)).body.code).toBe('share_not_found');
  });

  it('leaves nothing readable when a conversation is shared while it is deleted', async () => {
    for (let round = 0; round < 5; round++) {
      const { conversation_id } = await world.say('lea', 'Going.');
      const [created] = await Promise.all([
        world.post('lea', conversation_id),
        world.call('lea', 'delete', `/conversation/${conversation_id}`),
      ]);
      expect([201, 404]).toContain(created.status);
      if (created.status === 201) expect((await world.read(created.body as Shared)).status).toBe(404);
      expect((await world.call('lea', 'get', '/user/me/shares')).body.shares).toEqual([]);
    }
  });
});
