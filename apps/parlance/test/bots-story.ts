import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Telling } from './people-story.ts';

const password = 'correct horse battery';

interface Bot {
  readonly id: string;
  readonly title: string;
}

/** Sharing, finding and pinning bots, in every shape of the product. */
export function tellsOfBots(telling: () => Telling): void {
  const ask: Telling['ask'] = (...asked) => telling().ask(...asked);
  const admin = () => telling().adminToken;
  const as = (token: string, method: string, path: string, body?: unknown) => ask(method, path, body, { authorization: `Bearer ${token}` });
  const user = async (name: string, ...groups: string[]) => {
    const email = `${name}@example.org`;
    const made = await as(admin(), 'POST', '/admin/users', { email, first_name: 'Alma', last_name: 'Quist', groups, password });
    const signedIn = await ask('POST', '/auth/sign-in', { email, password }, { authorization: '' });
    return { id: made.body.user_id as string, token: signedIn.body.access_token as string };
  };
  const titles = async (token: string, path: string) => ((await as(token, 'GET', path)).body.bots as Bot[]).map(({ title }) => title);

  describe('bots', () => {
    let owner: { id: string; token: string };
    let colleague: { id: string; token: string };
    let stranger: { id: string; token: string };
    let botId: string;

    beforeAll(async () => {
      await as(admin(), 'POST', '/admin/groups', { name: 'Railway' });
      owner = await user('bot-owner', 'CreatingBotAllowed');
      colleague = await user('bot-colleague', 'Railway');
      stranger = await user('bot-stranger');
      const bot = { title: 'Zugbegleiter', description: 'Plans journeys by night trains', instruction: 'Name each timetable.' };
      botId = (await as(owner.token, 'POST', '/bot', bot)).body.id;
    });

    it('are private at first, and hidden like a bot that never was', async () => {
      const never = await as(stranger.token, 'GET', '/bot/01K0000000000000000000000Q');
      const hidden = await as(stranger.token, 'GET', `/bot/${botId}`);
      expect([hidden.status, hidden.body.code, hidden.body.detail]).toEqual([404, 'bot_not_found', never.body.detail]);
      expect(await titles(owner.token, '/bot?kind=private')).toEqual(['Zugbegleiter']);
      expect(await titles(admin(), '/store/search?query=zugbegleiter')).toEqual([]);
    });
    it('are seen by a group from the answer on, at every edge and replica', async () => {
      const shared = { target_shared_scope: 'partial', target_allowed_group_ids: ['Railway'] };
      expect((await as(owner.token, 'PATCH', `/bot/${botId}/visibility`, shared)).body).toMatchObject({
        status: 'shared',
        allowed_group_ids: ['Railway'],
      });
      for (let n = 0; n <= telling().product.urls.length; n++) {
        expect((await as(colleague.token, 'GET', `/bot/${botId}`)).status).toBe(200);
        expect(await titles(colleague.token, '/store/search?query=train')).toEqual(['Zugbegleiter']);
        expect(await titles(colleague.token, '/bot?kind=shared')).toEqual(['Zugbegleiter']);
        expect((await as(stranger.token, 'GET', `/bot/${botId}`)).status).toBe(404);
        expect(await titles(stranger.token, '/store/search?query=train')).toEqual([]);
      }
    });
    it('are changed by editors, who may not share them', async () => {
      const shared = { target_shared_scope: 'all', target_allowed_user_ids: [colleague.id], target_editor_user_ids: [colleague.id] };
      await as(owner.token, 'PATCH', `/bot/${botId}/visibility`, shared);
      const changed = await as(colleague.token, 'PATCH', `/bot/${botId}`, { title: 'Reisebegleiter' });
      expect([changed.status, changed.body.title, changed.body.instruction]).toEqual([200, 'Reisebegleiter', 'Name each timetable.']);
      const refused = await as(colleague.token, 'PATCH', `/bot/${botId}/visibility`, { target_shared_scope: 'private' });
      expect([refused.status, refused.body.code]).toEqual([403, 'not_owner']);
      expect((await as(stranger.token, 'PATCH', `/bot/${botId}`, { title: 'Mine' })).body.code).toBe('not_editor');
      expect(await titles(stranger.token, '/store/search?query=reisebegleitr')).toEqual(['Reisebegleiter']);
      expect(await titles(stranger.token, '/store/search?query=zugbegleiter')).toEqual([]);
    });
    it('are protected while they are pinned', async () => {
      const pin = (body: object) => as(admin(), 'PATCH', `/admin/bot/${botId}/pushed`, body);
      expect((await pin({ to_pinned: true, order: 7 })).body).toEqual({ id: botId, status: 'pinned@007' });
      expect(await titles(stranger.token, '/bot/pinned')).toEqual(['Reisebegleiter']);
      expect((await as(owner.token, 'DELETE', `/bot/${botId}`)).body.code).toBe('bot_pinned');
      expect((await as(owner.token, 'PATCH', `/bot/${botId}/visibility`, { target_shared_scope: 'private' })).body.code).toBe('bot_pinned');
      expect((await pin({ to_pinned: false })).body).toEqual({ id: botId, status: 'shared' });
      const entries = await telling().until(
        'the pin in the audit log',
        () => as(admin(), 'GET', `/admin/audit-logs/resource/bot/${botId}`),
        ({ body }) => body.audit_logs.some((entry: { action_type: string }) => entry.action_type === 'unpin'),
      );
      expect(entries.body.audit_logs.find((entry: { action_type: string }) => entry.action_type === 'pin')).toMatchObject({
        details: { shared_status: 'pinned@007', order: 7 },
        success: true,
      });
    });
    it('are listed by use once they were used', async () => {
      const text = { message: { content: [{ content_type: 'text', body: 'When does the night train leave?' }] } };
      expect((await as(stranger.token, 'POST', '/conversation', { bot_id: botId, ...text })).status).toBe(202);
      const recent = await telling().until(
        'the use of the bot',
        () => as(stranger.token, 'GET', '/bot?kind=mixed'),
        ({ body }) => body.bots.length === 1,
      );
      expect(recent.body.bots[0]).toMatchObject({ id: botId, last_used_time: expect.any(Number), is_starred: false });
      expect((await as(stranger.token, 'PATCH', `/bot/${botId}/starred`, { starred: true })).body.is_starred).toBe(true);
      expect(await titles(stranger.token, '/bot?kind=shared&starred=true')).toEqual(['Reisebegleiter']);
    });
    it('come back in an earlier version, and go with their owner', async () => {
      const { body } = await as(owner.token, 'GET', `/bot/${botId}/history`);
      expect(body.versions.at(-1)).toMatchObject({ version: 1, change: 'created', user_id: owner.id, title: 'Zugbegleiter' });
      expect((await as(owner.token, 'POST', `/bot/${botId}/restore`, { version: 1 })).body.title).toBe('Zugbegleiter');
      expect((await as(admin(), 'DELETE', `/admin/users/${owner.id}`)).status).toBe(200);
      expect((await as(colleague.token, 'GET', `/bot/${botId}`)).status).toBe(404);
      expect(await titles(stranger.token, '/store/search?query=zugbegleiter')).toEqual([]);
      expect(await titles(stranger.token, '/bot?kind=shared&starred=true')).toEqual([]);
    });
  });
}
