import { describe, expect, it } from '@jest/globals';
import { PromptChanged, PromptCreated, PromptDeleted } from '@parlance/contracts';
import { newId } from '@parlance/event-store';
import { waitFor } from '@parlance/testing';
import { MAX_PROMPT_VERSIONS } from '../../src/domain/prompts/prompt-limits.ts';
import { codeOf, mail, type PromptsUnderTest } from './prompts-under-test.ts';

export function changedPrompts(prompts: PromptsUnderTest): void {
  const { bots, as, create, change, share, restore, eventsOf } = prompts;

  describe('a prompt', () => {
    it('is created, read, changed and deleted by its owner', async () => {
      const ann = newId();
      const { status, headers, body } = await bots.ask('POST', '/prompts', as(ann), mail);
      const fields = { ...mail, id: expect.any(String), owner_user_id: ann, owned: true, editable: true, shared_scope: 'private' };
      const lists = { allowed_user_ids: [], allowed_group_ids: [], editor_user_ids: [], editor_group_ids: [] };
      const variables = [
        { name: 'name', default: null, options: [] },
        { name: 'tone', default: null, options: ['warm', 'dry'] },
      ];
      const times = { create_time: expect.any(Number), change_time: expect.any(Number) };
      expect([status, headers['etag'], body]).toEqual([201, '"1"', { ...fields, ...lists, ...times, variables, version: 1 }]);
      const { id } = body;
      expect((await bots.get(`/prompts/${id}`, as(ann))).body).toEqual(body);
      const changed = await change(id, { description: '', text: 'Hello {{name:you}}' }, as(ann));
      expect([changed.status, changed.headers['etag']]).toEqual([200, '"2"']);
      const helloVariables = [{ name: 'name', default: 'you', options: [] }];
      expect(changed.body).toMatchObject({ title: 'Polite mail', command: 'mail', description: '', variables: helloVariables, version: 2 });
      expect((await change(id, { title: 'Polite mail' }, as(ann))).body.version).toBe(2);
      expect((await bots.ask('DELETE', `/prompts/${id}`, as(ann))).status).toBe(204);
      for (const [method, url, sent] of [
        ['GET', `/prompts/${id}`, undefined],
        ['PATCH', `/prompts/${id}`, { title: 'A' }],
        ['DELETE', `/prompts/${id}`, undefined],
        ['GET', `/prompts/${id}/versions/1`, undefined],
      ] as const)
        expect(codeOf(await bots.ask(method, url, as(ann), sent))).toEqual([404, 'prompt_not_found']);
      await waitFor(() => eventsOf(id).length === 3, { what: 'the events' });
      const ids = { prompt_id: id, owner_user_id: ann };
      expect(eventsOf(id)).toEqual([
        { type: PromptCreated.type, data: ids },
        { type: PromptChanged.type, data: { ...ids, changed: ['description', 'text'] } },
        { type: PromptDeleted.type, data: ids },
      ]);
    });

    it.each([
      ['title', { title: ' ' }, 'must not be only spaces'],
      ['title', { title: 'x'.repeat(101) }, ''],
      ['command', { command: 'Mail' }, 'must be lower-case letters and digits, with single hyphens in between'],
      ['command', { command: '-mail' }, ''],
      ['command', { command: 'x'.repeat(51) }, ''],
      ['text', { text: ' \n' }, 'must not be only spaces'],
      ['text', { text: 'x'.repeat(16_385) }, ''],
      ['description', { description: 'x'.repeat(1_001) }, ''],
      ['text', { text: 'Dear {{your name}}' }, 'write {{name}}, {{name:default}} or {{name|one|two}}'],
    ])('is refused with an invalid %s', async (path, more, message) => {
      const { status, body } = await bots.ask('POST', '/prompts', as(newId()), { ...mail, ...more });
      const errors = [expect.objectContaining({ path, message: expect.stringContaining(message) })];
      expect([status, body.code, body.errors]).toEqual([400, 'invalid_body', errors]);
    });

    it('has a command that no other prompt of its owner has', async () => {
      const [ann, ben] = [newId(), newId()];
      const id = await create(ann);
      expect(codeOf(await bots.ask('POST', '/prompts', as(ann), mail))).toEqual([409, 'command_taken']);
      const other = await create(ann, { command: 'letter-2' });
      expect(codeOf(await change(other, { command: 'mail' }, as(ann)))).toEqual([409, 'command_taken']);
      await create(ben);
      expect((await change(id, { command: 'mail-1' }, as(ann))).status).toBe(200);
      expect((await change(other, { command: 'mail' }, as(ann))).status).toBe(200);
    });

    it('is changed only if it still has the version that the client names', async () => {
      const ann = newId();
      const id = await create(ann);
      const stale = { ...as(ann), 'if-match': '"7"' };
      for (const refused of [
        await change(id, { title: 'B' }, stale),
        await share(id, { target_shared_scope: 'all' }, stale),
        await restore(id, 1, stale),
        await bots.ask('DELETE', `/prompts/${id}`, stale),
      ])
        expect(codeOf(refused)).toEqual([412, 'version_stale']);
      expect((await change(id, { title: 'B' }, { ...as(ann), 'if-match': '"1"' })).body.version).toBe(2);
    });

    it('keeps all changes that are made at the same time', async () => {
      const ann = newId();
      const id = await create(ann);
      const changes = [{ title: 'Title 2' }, { description: 'Description 2' }, { text: 'Text 2' }];
      const statuses = (await Promise.all(changes.map((body) => change(id, body, as(ann))))).map(({ status }) => status);
      expect(statuses).toEqual([200, 200, 200]);
      const { body } = await bots.get(`/prompts/${id}`, as(ann));
      expect(body).toMatchObject({ title: 'Title 2', description: 'Description 2', text: 'Text 2', version: 4 });
    });

    it('has versions, which can be read and restored', async () => {
      const ann = newId();
      const id = await create(ann);
      await change(id, { command: 'letter', text: 'Second' }, as(ann));
      await share(id, { target_shared_scope: 'all' }, as(ann));
      const restored = await restore(id, 1, as(ann));
      expect(restored.body).toMatchObject({ ...mail, version: 4, shared_scope: 'all' });
      const first = await bots.get(`/prompts/${id}/versions?limit=3`, as(ann));
      expect(first.body.versions).toMatchObject([
        { version: 4, change: 'restored', user_id: ann, restored_version: 1 },
        { version: 3, change: 'shared', user_id: ann, restored_version: null },
        { version: 2, change: 'changed', user_id: ann, restored_version: null },
      ]);
      const second = await bots.get(`/prompts/${id}/versions?limit=3&next_token=${first.body.next_token}`, as(ann));
      expect(second.body).toMatchObject({ versions: [{ version: 1, change: 'created' }], next_token: null });
      const content = { version: 2, title: mail.title, description: mail.description, command: 'letter', text: 'Second', variables: [] };
      expect((await bots.get(`/prompts/${id}/versions/2`, as(ann))).body).toEqual(content);
      for (const version of [3, 9]) expect(codeOf(await restore(id, version, as(ann)))).toEqual([404, 'version_not_found']);
      for (const url of ['versions', 'versions/1'])
        expect(codeOf(await bots.get(`/prompts/${id}/${url}`, as(newId())))).toEqual([403, 'not_prompt_owner']);
      await create(ann, { command: 'letter' });
      expect(codeOf(await restore(id, 2, as(ann)))).toEqual([409, 'command_taken']);
    });

    it('keeps its newest versions', async () => {
      const ann = newId();
      const id = await create(ann);
      for (let nth = 1; nth <= MAX_PROMPT_VERSIONS; nth++) await change(id, { title: `Title ${nth}` }, as(ann));
      const { versions } = (await bots.get(`/prompts/${id}/versions`, as(ann))).body;
      expect([versions.length, versions.at(-1).version]).toEqual([MAX_PROMPT_VERSIONS, 2]);
      expect(codeOf(await restore(id, 1, as(ann)))).toEqual([404, 'version_not_found']);
      expect((await restore(id, 2, as(ann))).body.title).toBe('Title 1');
    });
  });
}
