import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type ChangesUnderTest, NEW_VALUES } from './changes-under-test.ts';

export function changedFields(changes: ChangesUnderTest): void {
  const { bots, ann, editor, viewer, change, share } = changes;

  describe('changing a bot', () => {
    it('changes exactly the given fields, and nothing when repeated', () =>
      fc.assert(
        fc.asyncProperty(fc.subarray(Object.keys(NEW_VALUES), { minLength: 1 }), async (names) => {
          const { id } = await bots.create('ann');
          const { body: before } = await bots.get(`/bot/private/${id}`, ann());
          const given = Object.fromEntries(names.map((name) => [name, NEW_VALUES[name]]));
          const changed = await change(id, given);
          expect([changed.status, changed.headers['etag'], changed.body]).toEqual([200, '"2"', { ...before, ...given, version: 2 }]);
          expect((await change(id, given)).body).toEqual(changed.body);
          expect((await bots.get(`/bot/private/${id}`, ann())).body).toEqual(changed.body);
        }),
        { numRuns: 60 },
      ));
    it('accepts each field alone', async () => {
      const { id } = await bots.create('ann');
      let { body } = await bots.get(`/bot/private/${id}`, ann());
      for (const [name, value] of Object.entries(NEW_VALUES)) {
        const changed = await change(id, { [name]: value });
        expect([name, changed.body]).toEqual([name, { ...body, [name]: value, version: body.version + 1 }]);
        ({ body } = changed);
      }
    });
    it('can empty texts', async () => {
      const { id } = await bots.create('ann', {
        description: 'x',
        instruction: 'y',
        guardrail_blocked_text: 'z',
        conversation_quick_starters: [{ title: 'a', example: 'b' }],
      });
      const { body } = await change(id, { description: '', instruction: '', guardrail_blocked_text: '', conversation_quick_starters: [] });
      expect(body).toMatchObject({
        description: '',
        instruction: '',
        guardrail_blocked_text: '',
        conversation_quick_starters: [],
        version: 2,
      });
    });
    it('leaves the version unchanged if no field is given', async () => {
      const { id } = await bots.create('ann');
      expect((await change(id, {})).body.version).toBe(1);
    });
    it('is refused if the client names another version than the current one', async () => {
      const { id } = await bots.create('ann');
      const stale = await change(id, { title: 'Map' }, { ...ann(), 'if-match': '"2"' });
      expect([stale.body.status, stale.body.code]).toEqual([412, 'version_stale']);
      expect((await change(id, { title: 'Map' }, { ...ann(), 'if-match': '"1"' })).body.title).toBe('Map');
      expect((await change(id, { title: 'Map' }, { ...ann(), 'if-match': '"1"' })).status).toBe(412);
    });
    it('lets only one of two clients win that saw the same version', async () => {
      const { id } = await bots.create('ann');
      const answers = await Promise.all(['A', 'B'].map((title) => change(id, { title }, { ...ann(), 'if-match': '"1"' })));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
    });
    it('is allowed for an editor, who does not become the owner', async () => {
      const { id } = await bots.create('ann');
      await share(id);
      const { status, body } = await change(id, { title: 'Map' }, bots.service.as(editor));
      expect([status, body.title, body.owner_user_id, body.owned, body.editable]).toEqual([200, 'Map', 'ann', false, true]);
      expect((await bots.get(`/bot/${id}`, ann())).body.title).toBe('Map');
    });
    it('is refused for a user who may only see the bot', async () => {
      const { id } = await bots.create('ann');
      await share(id);
      expect((await change(id, { title: 'Map' }, bots.service.as(viewer))).body).toMatchObject({ status: 403, code: 'not_editor' });
    });
  });
}
