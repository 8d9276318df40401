import { describe, expect, it } from '@jest/globals';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ExecuteBot } from '../../src/commands/aggregates.ts';
import { MOST_VERSIONS, VersionsBefore } from '../../src/projections/bot-history.ts';
import { type ChangesUnderTest, NEW_VALUES } from './changes-under-test.ts';

export function botHistory(changes: ChangesUnderTest): void {
  const { bots, ann, admin, editor, viewer, change, history, restore, share } = changes;

  describe('the history of a bot', () => {
    it('names each version, its change, its user and its title, newest first', async () => {
      const { id } = await bots.create('ann');
      await share(id);
      await change(id, { title: 'Map' }, bots.service.as(editor));
      await change(id, { description: 'x' });
      await bots.ask('PATCH', `/admin/bot/${id}/pushed`, admin(), { to_pinned: true, order: 1 });
      await bots.ask('PATCH', `/admin/bot/${id}/pushed`, admin(), { to_pinned: false });
      await bots.share('ann', id, 'private');
      await restore(id, 1);
      const { versions, next_token } = await history(id);
      const row = (
        version: number,
        changeType: string,
        user_id: string,
        title: string | null = null,
        restored_version: number | null = null,
      ) => ({
        version,
        change: changeType,
        user_id,
        title,
        restored_version,
        create_time: expect.any(Number),
      });
      expect(next_token).toBeNull();
      expect(versions).toEqual([
        row(8, 'restored', 'ann', 'Guide', 1),
        row(7, 'narrowed', 'ann'),
        row(6, 'unpinned', 'root'),
        row(5, 'pinned', 'root'),
        row(4, 'configured', 'ann'),
        row(3, 'configured', editor, 'Map'),
        row(2, 'widened', 'ann'),
        row(1, 'created', 'ann', 'Guide'),
      ]);
    });
    it.each([1, 2, 3])('has pages of %d versions, each version once', async (limit) => {
      const { id } = await bots.create('ann');
      for (let index = 2; index <= 5; index++) await change(id, { description: `${index}` });
      const found: number[] = [];
      for (let token: string | null = ''; token !== null;) {
        const page = await history(id, `?limit=${limit}${token && `&next_token=${token}`}`);
        found.push(...page.versions.map(({ version }: { version: number }) => version));
        // A version that is added in between is newer than all pages.
        await change(id, { description: `more ${found.length}` });
        token = page.next_token;
        if (token !== null) expect(page.versions).toHaveLength(limit);
      }
      expect(found.filter((version) => version <= 5)).toEqual([5, 4, 3, 2, 1]);
    });
    it('contains only the newest versions, which alone can be restored, and none after the bot is deleted', async () => {
      const { id } = await bots.create('ann');
      await share(id);
      const by = { userId: 'root', groups: ['Admin'] };
      const commands = bots.app.get(CommandBus);
      for (let order = 1; order <= MOST_VERSIONS; order++) await commands.execute(new ExecuteBot(id, { type: 'Pin', by, order }));
      const { versions } = await history(id, '?limit=1000');
      expect([versions.length, versions.at(-1).version]).toEqual([MOST_VERSIONS, 3]);
      expect([(await restore(id, 2)).body.code, (await restore(id, 3)).status]).toEqual(['version_not_found', 200]);
      for (const type of ['Hold', 'EndHold'] as const) await commands.execute(new ExecuteBot(id, { type, holdId: 'hold' }));
      await commands.execute(new ExecuteBot(id, { type: 'Unpin', by }));
      await bots.ask('DELETE', `/bot/${id}`, bots.service.as('ann'));
      expect(await bots.app.get(QueryBus).execute(new VersionsBefore(id, null, 1_000))).toEqual([]);
    });
    it('names no user for a change that the system made', async () => {
      const { id } = await bots.create('ann');
      await share(id);
      await bots.ask('POST', '/internal/erasures', bots.service.asService('identity'), { user_id: viewer });
      const { versions } = await history(id);
      expect(versions[0]).toMatchObject({ version: 3, change: 'narrowed', user_id: null });
    });
  });

  describe('a version in the history of a bot', () => {
    const versionOf = (id: string, version: number | string, headers = ann()) => bots.get(`/bot/${id}/history/${version}`, headers);

    it('has the configuration of that time', async () => {
      const { id } = await bots.create('ann', { instruction: 'Be brief.', conversation_quick_starters: [{ title: 'a', example: 'b' }] });
      const { title, description, instruction, conversation_quick_starters, knowledge, generation_params } = (
        await bots.get(`/bot/private/${id}`, ann())
      ).body;
      await change(id, NEW_VALUES);
      expect(instruction).toBe('Be brief.');
      const first = { version: 1, title, description, instruction, conversation_quick_starters, knowledge, generation_params };
      expect((await versionOf(id, 1)).body).toMatchObject(first);
      expect((await versionOf(id, 2)).body).toMatchObject({ ...NEW_VALUES, version: 2 });
    });
    it.each([2, 0, -1, 'one', '1e0', '9'.repeat(30)])('is 404 if the bot does not have it: %s', async (version) => {
      const { id } = await bots.create('ann');
      expect((await versionOf(id, version)).body).toMatchObject({ status: 404, code: 'version_not_found' });
    });
    it('is allowed for the owner and administrators only', async () => {
      const { id } = await bots.create('ann');
      await share(id);
      const answers = await Promise.all([bots.service.as(editor), bots.service.as('eve'), admin()].map((as) => versionOf(id, 1, as)));
      expect(answers.map(({ body }) => body.code ?? body.version)).toEqual(['not_owner', 'bot_not_found', 1]);
    });
  });
}
