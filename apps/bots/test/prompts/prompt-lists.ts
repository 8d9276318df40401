import { describe, expect, it } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { codeOf, type PromptsUnderTest } from './prompts-under-test.ts';

export function promptLists(prompts: PromptsUnderTest): void {
  const { bots, as, create, change, share, idsFrom } = prompts;

  describe('the list of prompts', () => {
    it('has own and shared ones, the newest first, in pages', async () => {
      const [ann, ben] = [newId(), newId()];
      const own = [await create(ann, { command: 'a' }), await create(ann, { command: 'b' })];
      const shared = await create(ben);
      await share(shared, { target_shared_scope: 'partial', target_allowed_user_ids: [ann], target_allowed_group_ids: ['team'] }, as(ben));
      const last = await create(ann, { command: 'c' });
      const page = async (more: string) => {
        const { body } = await bots.get(`/prompts?limit=2${more}`, as(ann, 'team'));
        return { ids: body.prompts.map(({ id }: { id: string }) => id), next: body.next_token, prompts: body.prompts };
      };
      const first = await page('');
      expect(first.ids).toEqual([last, shared]);
      expect(first.prompts[0]).not.toHaveProperty('text');
      expect((await page(`&next_token=${first.next}`)).ids).toEqual([own[1], own[0]]);
      const ofAnn = await page('&kind=own');
      expect(ofAnn.ids).toEqual([last, own[1]]);
      expect(await page(`&kind=own&next_token=${ofAnn.next}`)).toMatchObject({ ids: [own[0]], next: null });
      expect((await page('&kind=shared')).ids[0]).toBe(shared);
      expect(codeOf(await bots.get(`/prompts?next_token=${first.next}`, as(ben)))).toEqual([400, 'invalid_next_token']);
    });
    it('is searched by words of the title and the command', async () => {
      const ann = newId();
      const [cafe, other] = [await create(ann, { title: 'Café menu', command: 'lunch-card' }), await create(ann, { title: 'Tea' })];
      const found = (query: string) => idsFrom(`/prompts?kind=own&query=${encodeURIComponent(query)}`, as(ann));
      expect(await found('CAFE')).toEqual([cafe]);
      expect(await found('lunch caf')).toEqual([cafe]);
      expect(await found('mail')).toEqual([other]);
      expect(await found('tea lunch')).toEqual([]);
      expect(await found('customers')).toEqual([]);
    });
    it('is looked up by a command, own ones first', async () => {
      const [ann, ben] = [newId(), newId()];
      const command = `c${newId().toLowerCase()}`;
      await create(newId(), { command });
      const shared = await create(ben, { command });
      await share(shared, { target_shared_scope: 'all' }, as(ben));
      const own = await create(ann, { command });
      await create(ann, { command: `${command}0` });
      expect(await idsFrom(`/prompts?command=${command}`, as(ann))).toEqual([own, shared]);
      expect(await idsFrom(`/prompts?command=${command}&kind=shared`, as(ann))).toEqual([shared]);
      expect(await idsFrom(`/prompts?command=${command.slice(0, -1)}`, as(ann))).toEqual([]);
      await change(shared, { command: 'renamed' }, as(ben));
      expect(await idsFrom(`/prompts?command=${command}`, as(ann))).toEqual([own]);
      expect((await bots.get(`/prompts?command=a&query=b`, as(ann))).body.code).toBe('invalid_query');
    });
  });
}
