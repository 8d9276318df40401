import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Parlance, ParlanceError } from '@parlance/client';
import type { PinBody } from '@parlance/client/types';
import { waitFor } from '@parlance/testing';
import { allOf } from './all-of.ts';
import type { Story } from './people-story.ts';

const password = 'correct horse battery';

interface User {
  readonly id: string;
  readonly client: Parlance;
}

const NEVER = '01K0000000000000000000000Q';

/** Sharing, finding and pinning bots, in every shape of the product. */
export function botsStory(story: () => Story): void {
  const admin = () => story().clientOf(story().adminToken);
  const user = async (name: string, ...groups: string[]): Promise<User> => {
    const email = `${name}@example.org`;
    const { user_id: id } = await admin().admin.createUser({ email, first_name: 'Alma', last_name: 'Quist', groups, password });
    const signedIn = await admin().api.post('/auth/sign-in', { body: { email, password } });
    if (!('access_token' in signedIn)) throw new Error('the sign-in needs a second factor');
    return { id, client: story().clientOf(signedIn.access_token) };
  };
  const titles = async (bots: AsyncIterable<{ readonly title: string }>) => (await allOf(bots)).map(({ title }) => title);
  const found = ({ api }: Parlance, query: string) => titles(api.list('/store/search', { query: { query } }));

  describe('bots', () => {
    let owner: User;
    let colleague: User;
    let stranger: User;
    let botId: string;

    beforeAll(async () => {
      await admin().api.post('/admin/groups', { body: { name: 'Railway' } });
      owner = await user('bot-owner', 'CreatingBotAllowed');
      colleague = await user('bot-colleague', 'Railway');
      stranger = await user('bot-stranger');
      const bot = { title: 'Zugbegleiter', description: 'Plans journeys by night trains', instruction: 'Name each timetable.' };
      botId = (await owner.client.bots.create(bot)).id;
    });

    it('are private at first, and hidden like a bot that never existed', async () => {
      const never = await stranger.client.bots.get(NEVER).catch((error: ParlanceError) => error.message);
      await expect(stranger.client.bots.get(botId)).rejects.toMatchObject({ status: 404, code: 'bot_not_found', message: never });
      expect(await titles(owner.client.bots.list({ kind: 'private' }))).toEqual(['Zugbegleiter']);
      expect(await found(admin(), 'zugbegleiter')).toEqual([]);
    });
    it('are visible to a group at every edge and replica as soon as the sharing is answered', async () => {
      const shared = await owner.client.bots.share(botId, { target_shared_scope: 'partial', target_allowed_group_ids: ['Railway'] });
      expect(shared).toMatchObject({
        status: 'shared',
        allowed_group_ids: ['Railway'],
      });
      for (let n = 0; n <= story().product.urls.length; n++) {
        expect((await colleague.client.bots.get(botId)).id).toBe(botId);
        expect(await found(colleague.client, 'train')).toEqual(['Zugbegleiter']);
        expect(await titles(colleague.client.bots.list({ kind: 'shared' }))).toEqual(['Zugbegleiter']);
        await expect(stranger.client.bots.get(botId)).rejects.toMatchObject({ status: 404 });
        expect(await found(stranger.client, 'train')).toEqual([]);
      }
    });
    it('can be changed by editors, who may not share them', async () => {
      const ids = [colleague.id];
      await owner.client.bots.share(botId, { target_shared_scope: 'all', target_allowed_user_ids: ids, target_editor_user_ids: ids });
      const changed = await colleague.client.bots.change(botId, { title: 'Reisebegleiter' });
      expect([changed.title, changed.instruction]).toEqual(['Reisebegleiter', 'Name each timetable.']);
      const shared = colleague.client.bots.share(botId, { target_shared_scope: 'private' });
      await expect(shared).rejects.toMatchObject({ status: 403, code: 'not_owner' });
      await expect(stranger.client.bots.change(botId, { title: 'Mine' })).rejects.toMatchObject({ code: 'not_editor' });
      expect(await found(stranger.client, 'reisebegleitr')).toEqual(['Reisebegleiter']);
      expect(await found(stranger.client, 'zugbegleiter')).toEqual([]);
    });
    it('are protected while they are pinned', async () => {
      const pin = (body: PinBody) => admin().api.patch('/admin/bot/{botId}/pushed', { path: { botId }, body });
      expect(await pin({ to_pinned: true, order: 7 })).toEqual({ id: botId, status: 'pinned@007' });
      expect(await titles(stranger.client.api.list('/bot/pinned'))).toEqual(['Reisebegleiter']);
      await expect(owner.client.bots.delete(botId)).rejects.toMatchObject({ code: 'bot_pinned' });
      const narrowed = owner.client.bots.share(botId, { target_shared_scope: 'private' });
      await expect(narrowed).rejects.toMatchObject({ code: 'bot_pinned' });
      expect(await pin({ to_pinned: false })).toEqual({ id: botId, status: 'shared' });
      const entries = () => allOf(admin().api.list('/admin/audit-logs/resource/bot/{bot_id}', { path: { bot_id: botId } }));
      const isAudited = async () => (await entries()).some(({ action_type }) => action_type === 'unpin');
      await waitFor(isAudited, { what: 'the pin in the audit log' });
      expect((await entries()).find(({ action_type }) => action_type === 'pin')).toMatchObject({
        details: { shared_status: 'pinned@007', order: 7 },
        success: true,
      });
    });
    it('are listed as recently used after a use', async () => {
      const message = { content: [{ content_type: 'text' as const, body: 'When does the night train leave?' }] };
      await stranger.client.conversations.send({ bot_id: botId, message });
      const recent = () => allOf(stranger.client.bots.list({ kind: 'mixed' }));
      await waitFor(async () => (await recent()).length === 1, { what: 'the use of the bot' });
      expect((await recent())[0]).toMatchObject({ id: botId, last_used_time: expect.any(Number), is_starred: false });
      const starred = await stranger.client.api.patch('/bot/{botId}/starred', { path: { botId }, body: { starred: true } });
      expect(starred.is_starred).toBe(true);
      expect(await titles(stranger.client.bots.list({ kind: 'shared', starred: true }))).toEqual(['Reisebegleiter']);
    });
    it('can be restored to an earlier version, and are deleted with their owner', async () => {
      const path = { botId };
      const versions = await allOf(owner.client.api.list('/bot/{botId}/history', { path }));
      expect(versions.at(-1)).toMatchObject({ version: 1, change: 'created', user_id: owner.id, title: 'Zugbegleiter' });
      expect((await owner.client.api.post('/bot/{botId}/restore', { path, body: { version: 1 } })).title).toBe('Zugbegleiter');
      expect((await admin().admin.eraseUser(owner.id)).user_id).toBe(owner.id);
      await expect(colleague.client.bots.get(botId)).rejects.toMatchObject({ status: 404 });
      expect(await found(stranger.client, 'zugbegleiter')).toEqual([]);
      expect(await titles(stranger.client.bots.list({ kind: 'shared', starred: true }))).toEqual([]);
    });
  });
}
