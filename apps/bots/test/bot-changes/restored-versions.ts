import { describe, expect, it, jest } from '@jest/globals';
import { BotWriter } from '../../src/commands/bot-writer.ts';
import { type ChangesUnderTest, NEW_VALUES } from './changes-under-test.ts';

export function restoredVersions(changes: ChangesUnderTest): void {
  const { bots, ann, admin, editor, viewer, change, restore, share } = changes;

  describe('restoring a version', () => {
    it('leaves the memory of users as it is, unless the owner restores it', async () => {
      const { id } = await bots.create('ann');
      await share(id);
      await change(id, { memory: true });
      await change(id, { memory: false });
      expect((await restore(id, 3, admin())).body.memory).toBe(false);
      expect((await restore(id, 3)).body.memory).toBe(true);
    });
    it('is refused if the bot is changed meanwhile, because it keeps what no version may bring back', async () => {
      const { id } = await bots.create('ann');
      await share(id);
      const { restore: write } = BotWriter.prototype;
      const meanwhile = jest.spyOn(BotWriter.prototype, 'restore').mockImplementation(async function (this: BotWriter, ...its) {
        const { memory } = (await bots.get(`/bot/private/${id}`, ann())).body;
        await change(id, { memory: !memory });
        return Reflect.apply(write, this, its);
      });
      try {
        expect((await restore(id, 1, admin())).status).toBe(412);
        expect((await bots.get(`/bot/private/${id}`, ann())).body).toMatchObject({ version: 3, memory: true });
        expect((await restore(id, 1)).status).toBe(412);
        expect((await restore(id, 1, { ...admin(), 'if-match': '*' })).status).toBe(412);
        expect((await restore(id, 1, { ...admin(), 'if-match': '"5", "6"' })).status).toBe(412);
      } finally {
        meanwhile.mockRestore();
      }
    });
    it('creates a new version with the configuration of the old one, and leaves the sharing as it is', async () => {
      const created = await bots.create('ann', { instruction: 'Be brief.', tools: [{ name: 'a' }] });
      const { id } = created;
      await change(id, NEW_VALUES);
      await share(id);
      const { status, body, headers } = await restore(id, 1);
      expect([status, headers['etag']]).toEqual([200, '"4"']);
      const sharing = { allowed_user_ids: [editor, viewer], editor_user_ids: [editor], shared_scope: 'partial', status: 'shared' };
      expect(body).toEqual({ ...created, ...sharing, version: 4 });
      expect((await bots.get(`/bot/private/${id}`, ann())).body).toEqual(body);
      expect((await restore(id, 3)).body).toMatchObject({ ...NEW_VALUES, version: 5 });
    });
    it('is refused for a version that the bot does not have', async () => {
      const { id } = await bots.create('ann');
      expect((await restore(id, 2)).body).toMatchObject({ status: 404, code: 'version_not_found' });
      expect((await restore(id, 0)).status).toBe(400);
    });
    it('is refused if the client names another version than the current one', async () => {
      const { id } = await bots.create('ann');
      expect((await restore(id, 1, { ...ann(), 'if-match': '"9"' })).status).toBe(412);
      expect((await restore(id, 1, { ...ann(), 'if-match': '"1"' })).body.version).toBe(2);
    });
    it('is allowed for the owner and administrators', async () => {
      const { id } = await bots.create('ann');
      await share(id);
      expect((await restore(id, 1, bots.service.as(editor))).body.code).toBe('not_owner');
      expect((await restore(id, 1, admin())).status).toBe(200);
    });
  });
}
