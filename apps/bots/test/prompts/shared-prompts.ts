import { describe, expect, it } from '@jest/globals';
import { PromptSharingChanged } from '@parlance/contracts';
import { newId } from '@parlance/event-store';
import { AuditRecorder, type ViewedAction } from '@parlance/http';
import { waitFor } from '@parlance/testing';
import { codeOf, mail, type PromptsUnderTest } from './prompts-under-test.ts';

export function sharedPrompts(prompts: PromptsUnderTest): void {
  const { bots, as, admin, create, change, share, restore, eventsOf } = prompts;

  describe('sharing a prompt', () => {
    it('shows it to listed users and groups, and lets editors change it', async () => {
      const [ann, ed, vi] = [newId(), newId(), newId()];
      const id = await create(ann);
      expect(codeOf(await bots.get(`/prompts/${id}`, as(vi)))).toEqual([404, 'prompt_not_found']);
      const sharing = { target_allowed_user_ids: [ed, vi], target_allowed_group_ids: ['team'], target_editor_user_ids: [ed] };
      const { body } = await share(id, { target_shared_scope: 'partial', ...sharing }, as(ann));
      expect(body).toMatchObject({ shared_scope: 'partial', allowed_user_ids: [ed, vi], editor_user_ids: [ed], version: 2 });
      const seen = (await bots.get(`/prompts/${id}`, as(vi))).body;
      expect(seen).toMatchObject({ ...mail, owned: false, editable: false });
      expect(seen.allowed_user_ids).toBeUndefined();
      expect((await bots.get(`/prompts/${id}`, as(newId(), 'team'))).status).toBe(200);
      expect(codeOf(await bots.get(`/prompts/${id}`, as(newId())))).toEqual([404, 'prompt_not_found']);
      expect(codeOf(await change(id, { title: 'By Vi' }, as(vi)))).toEqual([403, 'not_prompt_editor']);
      expect((await change(id, { title: 'By Ed' }, as(ed))).body).toMatchObject({ title: 'By Ed', editable: true, owned: false });
      for (const refused of [
        await share(id, { target_shared_scope: 'all' }, as(ed)),
        await restore(id, 1, as(ed)),
        await bots.ask('DELETE', `/prompts/${id}`, as(ed)),
      ])
        expect(codeOf(refused)).toEqual([403, 'not_prompt_owner']);
      await share(id, { target_shared_scope: 'private' }, as(ann));
      expect(codeOf(await bots.get(`/prompts/${id}`, as(ed)))).toEqual([404, 'prompt_not_found']);
      await waitFor(() => eventsOf(id).length === 4, { what: 'the events' });
      expect(eventsOf(id)[1]).toEqual({
        type: PromptSharingChanged.type,
        data: {
          prompt_id: id,
          owner_user_id: ann,
          shared_scope: 'partial',
          previous_scope: 'private',
          because: 'requested',
          allowed_user_ids: [ed, vi],
          allowed_group_ids: ['team'],
          editor_user_ids: [ed],
          editor_group_ids: [],
          added_user_ids: [ed, vi],
          added_group_ids: ['team'],
        },
      });
    });
    it.each([
      ['no scope', {}, 'target_shared_scope'],
      ['a list for a private scope', { target_shared_scope: 'private', target_allowed_group_ids: ['team'] }, 'target_allowed_group_ids'],
      ['51 users', { target_shared_scope: 'all', target_allowed_user_ids: Array.from({ length: 51 }, newId) }, 'target_allowed_user_ids'],
    ])('is refused with %s', async (_, body, path) => {
      const ann = newId();
      const answer = await share(await create(ann), body, as(ann));
      expect([answer.status, answer.body.errors]).toEqual([400, [expect.objectContaining({ path })]]);
    });
    it('lets administrators read it, which is in the audit log', async () => {
      const ann = newId();
      const id = await create(ann);
      expect(codeOf(await bots.get(`/prompts/${id}`, admin()))).toEqual([404, 'prompt_not_found']);
      await share(id, { target_shared_scope: 'partial' }, as(ann));
      const viewed: ViewedAction[] = [];
      const audit = bots.app.get(AuditRecorder, { strict: false });
      const { viewed: record } = audit;
      audit.viewed = async (action) => void viewed.push(action);
      const urls = [`/prompts/${id}`, `/prompts/${id}/versions`, `/prompts/${id}/versions/1`];
      for (const url of urls) expect((await bots.get(url, admin())).status).toBe(200);
      for (const url of urls) expect((await bots.get(url, as(ann))).status).toBe(200);
      expect((await change(id, {}, admin())).status).toBe(200);
      audit.viewed = record;
      expect(viewed).toEqual(Array.from({ length: 4 }, () => ({ action: 'view_prompt', resourceType: 'prompt', resourceId: id })));
    });
    it('ends for a group that is deleted', async () => {
      const ann = newId();
      const ids = [await create(ann), await create(ann, { command: 'other' })];
      for (const id of ids) await share(id, { target_shared_scope: 'partial', target_allowed_group_ids: ['crew', 'readers'] }, as(ann));
      const statuses = (group: string) => Promise.all(ids.map(async (id) => (await bots.get(`/prompts/${id}`, as(newId(), group))).status));
      expect(await statuses('crew')).toEqual([200, 200]);
      await bots.service.hear('parlance.identity.group-deleted.v1', 'group-crew', { group: 'crew' });
      await waitFor(async () => (await statuses('crew')).every((status) => status === 404), { what: 'the group to be removed' });
      expect(await statuses('readers')).toEqual([200, 200]);
    });
  });
}
