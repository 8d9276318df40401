import { describe, expect, it } from '@jest/globals';
import { PromptDeleted } from '@parlance/contracts';
import { EventStore, newId } from '@parlance/event-store';
import { waitFor } from '@parlance/testing';
import { promptsStream } from '../../src/domain/prompts/prompts.ts';
import type { Headers } from '../bots-under-test.ts';
import { codeOf, mail, type PromptsUnderTest } from './prompts-under-test.ts';

export function promptsOfUsers(prompts: PromptsUnderTest): void {
  const { bots, keys, published, as, admin, create, share, idsFrom } = prompts;

  describe('the export of own data', () => {
    it('gets all prompts of a user in pages, and nobody else gets them', async () => {
      const ann = newId();
      const ids = [];
      for (let nth = 0; nth < 26; nth++) ids.push(await create(ann, { command: `mail-${nth}` }));
      await create(newId());
      const ask = (headers: Headers, after?: string) =>
        bots.ask('POST', '/internal/prompts/exported', headers, { user_id: ann, ...(after && { after }) });
      const first = (await ask(bots.service.asService('inference'))).body;
      const second = (await ask(bots.service.asService('inference'), first.next)).body;
      expect([...first.prompts, ...second.prompts].map(({ id }) => id)).toEqual(ids);
      expect([first.prompts.length, second.next]).toEqual([25, null]);
      const { title, description, text } = mail;
      const own = { id: ids[0], title, command: 'mail-0', description, text, shared_scope: 'private', create_time: expect.any(Number) };
      expect(first.prompts[0]).toEqual(own);
      expect((await ask(admin())).status).toBe(404);
    });
  });

  describe('when a user is erased', () => {
    const erase = async (userId: string) => {
      await keys.erase(userId);
      return (await bots.ask('POST', '/internal/erasures', bots.service.asService('identity'), { user_id: userId })).body.removed;
    };
    it('the prompts of the user are deleted, and the log has none of their texts in the clear', async () => {
      const [ann, ben] = [newId(), newId()];
      const [one, other] = [await create(ann), await create(ann, { command: 'other' })];
      const bens = await create(ben);
      await share(one, { target_shared_scope: 'all' }, as(ann));
      expect(await erase(ann)).toMatchObject({ prompts: 2 });
      expect(await erase(ann)).toMatchObject({ prompts: 2 });
      for (const [id, userId] of [
        [one, ben],
        [one, ann],
        [other, ann],
      ] as const)
        expect(codeOf(await bots.get(`/prompts/${id}`, as(userId)))).toEqual([404, 'prompt_not_found']);
      expect((await bots.get(`/prompts/${bens}`, as(ben))).status).toBe(200);
      expect(await idsFrom('/prompts?kind=own', as(ann))).toEqual([]);
      const log = JSON.stringify((await bots.app.get(EventStore).read(promptsStream(ann), 0, 100)).commits);
      for (const text of Object.values(mail)) expect(log).not.toContain(JSON.stringify(text));
      const events = () =>
        published.filter(({ type, data }) => type === PromptDeleted.type && (data as PromptDeleted).owner_user_id === ann);
      await waitFor(() => events().length === 2, { what: 'the deletions to be published' });
      expect(JSON.stringify(published)).not.toContain(mail.title);
      expect((await bots.ask('POST', '/prompts', as(ann), mail)).body).toMatchObject({ status: 401, code: 'invalid_token' });
    });
    it('the user is removed from the lists of other prompts', async () => {
      const [ann, ed, vi] = [newId(), newId(), newId()];
      const id = await create(ann);
      await share(id, { target_shared_scope: 'partial', target_allowed_user_ids: [ed, vi], target_editor_user_ids: [ed] }, as(ann));
      expect(await erase(ed)).not.toHaveProperty('prompts');
      const { body } = await bots.get(`/prompts/${id}`, as(ann));
      expect([body.allowed_user_ids, body.editor_user_ids]).toEqual([[vi], []]);
      expect((await bots.get(`/prompts/${id}/versions`, as(ann))).body.versions[0]).toMatchObject({ change: 'shared', user_id: null });
    });
  });
}
