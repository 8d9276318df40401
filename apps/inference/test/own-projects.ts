import { describe, expect, it, jest } from '@jest/globals';
import { newId } from '@parlance/event-store';
import type { ServiceUnderTest } from '@parlance/foundation/harness';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { ScriptedModel } from './scripted-model.ts';

interface Summary {
  readonly conversation_id: string;
  readonly project_id: string | null;
  readonly pinned: boolean;
}

/** The specs of projects and pins. `serviceOf`: a service without bots, whose offline model is its default. */
export function describeProjects(serviceOf: () => ServiceUnderTest): void {
  const call = async (userId: string, method: 'get' | 'post' | 'put' | 'patch' | 'delete', path: string, body?: object) => {
    const sending = request(serviceOf().server)[method](path).set(serviceOf().as(userId));
    const { status, body: answer } = await (body ? sending.send(body) : sending);
    return { status, body: answer };
  };
  const ask = (userId: string, text: string, more: object = {}) =>
    call(userId, 'post', '/conversation', { message: { content: [{ content_type: 'text', body: text }] }, ...more });
  /** Answers with the conversation's ID when the reply has ended. */
  const say = async (userId: string, text: string, more: object = {}): Promise<string> => {
    const { body } = await ask(userId, text, more);
    const path = `/conversation/${body.conversation_id}/${body.message_id}`;
    await waitFor(async () => (await call(userId, 'get', path)).status === 200, { what: 'the reply' });
    return body.conversation_id;
  };
  const create = async (userId: string, body: object = {}): Promise<string> => {
    const answer = await call(userId, 'post', '/projects', { title: 'Ferries', ...body });
    expect(answer.status).toBe(201);
    return answer.body.project_id;
  };
  const idsOf = async (userId: string, path: string) =>
    ((await call(userId, 'get', path)).body.conversations as Summary[]).map(({ conversation_id }) => conversation_id);
  /** The public events about a project. */
  const publishedOf = async (projectId: string) =>
    (await serviceOf().published())
      .filter(({ data }) => data['project_id'] === projectId)
      .map(({ type, actor, data }) => ({ type, actor, data }));
  const code = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];
  /** Users whose keys exist, so that identity knows them. */
  const users = async () => {
    const ids = { ann: newId(), ed: newId(), vi: newId() };
    for (const id of Object.values(ids)) await say(id, 'Hello.');
    return ids;
  };

  describe('are grouped in projects', () => {
    it('which are created, read, changed, listed and deleted', async () => {
      const { ann } = await users();
      const id = await create(ann, { instruction: 'Be brief.', model: 'priced' });
      const { body } = await call(ann, 'get', `/projects/${id}`);
      const fields = { project_id: id, title: 'Ferries', owner_user_id: ann, role: 'owner', bot_id: null, model: 'priced' };
      const times = { create_time: expect.any(Number), last_change_time: expect.any(Number) };
      expect(body).toEqual({ ...fields, ...times, instruction: 'Be brief.', members: [{ user_id: ann, role: 'owner' }] });
      const changed = await call(ann, 'patch', `/projects/${id}`, { title: 'Ships', instruction: '', model: null });
      expect(changed.body).toMatchObject({ title: 'Ships', instruction: '', model: null });
      const other = await create(ann);
      const first = await call(ann, 'get', '/projects?limit=1');
      expect(first.body.projects).toMatchObject([{ project_id: other }]);
      const second = await call(ann, 'get', `/projects?limit=1&next_token=${first.body.next_token}`);
      expect(second.body).toEqual({ projects: [{ ...fields, ...times, title: 'Ships', model: null }], next_token: null });
      expect((await call(ann, 'delete', `/projects/${id}`)).status).toBe(204);
      expect(code(await call(ann, 'get', `/projects/${id}`))).toEqual([404, 'project_not_found']);
      expect(code(await call(ann, 'delete', `/projects/${id}`))).toEqual([404, 'project_not_found']);
    });
    it.each([{}, { title: ' ' }, { title: 'x'.repeat(101) }, { title: 'A', instruction: 'x'.repeat(32_769) }, { title: 'A', bot_id: 'b' }])(
      'which are well-formed, and not %j',
      async (body) => expect((await call(newId(), 'post', '/projects', body)).body.code).toBe('invalid_body'),
    );
    it('whose model exists', async () =>
      expect(code(await call(newId(), 'post', '/projects', { title: 'A', model: 'none' }))).toEqual([400, 'model_not_available']));
    it('and are moved between them, each in at most one', async () => {
      const { ann } = await users();
      const [one, other] = [await create(ann), await create(ann)];
      const chat = await say(ann, 'When does it leave?', { project_id: one });
      const unplaced = await say(ann, 'Who books it?');
      expect(await idsOf(ann, `/projects/${one}/conversations`)).toEqual([chat]);
      const move = await call(ann, 'put', `/conversation/${chat}/project`, { project_id: other });
      expect([move.status, move.body.project_id]).toEqual([200, other]);
      expect(await idsOf(ann, `/projects/${one}/conversations`)).toEqual([]);
      await call(ann, 'put', `/conversation/${unplaced}/project`, { project_id: other });
      expect(await idsOf(ann, `/projects/${other}/conversations`)).toEqual([unplaced, chat]);
      expect((await call(ann, 'get', `/conversation/${chat}`)).body.project_id).toBe(other);
      expect((await call(ann, 'delete', `/conversation/${chat}/project`)).body.project_id).toBeNull();
      await call(ann, 'delete', `/projects/${other}`);
      const { body } = await call(ann, 'get', '/conversations');
      expect((body.conversations as Summary[]).every(({ project_id }) => project_id === null)).toBe(true);
      expect(code(await ask(ann, 'And?', { conversation_id: chat, project_id: one }))).toEqual([409, 'conversation_of_another_project']);
      expect(code(await ask(ann, 'And?', { project_id: other }))).toEqual([404, 'project_not_found']);
      expect(code(await ask(ann, 'And?', { project_id: one, temporary: true }))).toEqual([409, 'conversation_is_temporary']);
    });
    it('whose members have roles, and conversations of their own', async () => {
      const { ann, ed, vi } = await users();
      const id = await create(ann);
      const member = (by: string, userId: string, role: string) => call(by, 'put', `/projects/${id}/members/${userId}`, { role });
      expect((await member(ann, ed, 'editor')).body.members).toHaveLength(2);
      await member(ann, vi, 'viewer');
      expect(code(await member(ann, newId(), 'viewer'))).toEqual([404, 'user_not_found']);
      expect(code(await member(ann, ann, 'viewer'))).toEqual([409, 'member_is_owner']);
      expect(code(await member(ed, newId(), 'viewer'))).toEqual([403, 'not_project_owner']);
      const edited = await call(ed, 'patch', `/projects/${id}`, { title: 'By the editor' });
      expect(edited.body).toMatchObject({ role: 'editor', owner_user_id: ann });
      expect(code(await call(vi, 'patch', `/projects/${id}`, { title: 'B' }))).toEqual([403, 'not_project_editor']);
      expect(code(await call(ed, 'delete', `/projects/${id}`))).toEqual([403, 'not_project_owner']);
      const listed = await call(vi, 'get', '/projects');
      expect(listed.body.projects).toMatchObject([{ project_id: id, title: 'By the editor', role: 'viewer' }]);
      const chat = await say(vi, 'Mine.', { project_id: id });
      expect(await idsOf(vi, `/projects/${id}/conversations`)).toEqual([chat]);
      expect(await idsOf(ann, `/projects/${id}/conversations`)).toEqual([]);
      expect((await call(vi, 'delete', `/projects/${id}/members/${vi}`)).status).toBe(204);
      expect(code(await call(vi, 'get', `/projects/${id}/conversations`))).toEqual([404, 'project_not_found']);
      expect((await call(vi, 'get', `/conversation/${chat}`)).body.project_id).toBeNull();
      expect(code(await call(vi, 'put', `/conversation/${chat}/project`, { project_id: id }))).toEqual([404, 'project_not_found']);
      expect((await call(ann, 'delete', `/projects/${id}/members/${ed}`)).status).toBe(204);
    });
    it('whose titles are shown to services only for their members, and whose new members are published', async () => {
      const { ann, ed, vi } = await users();
      const id = await create(ann);
      const seenBy = async (userId: string) => {
        const asking = request(serviceOf().server).post('/internal/seen-titles').set(serviceOf().asCallFor(userId));
        return (await asking.send({ project_ids: [id, newId()], awaiting_reply_ids: [] }).expect(200)).body;
      };
      for (const role of ['viewer', 'editor']) await call(ann, 'put', `/projects/${id}/members/${ed}`, { role });
      const none = { projects: {}, awaiting: {} };
      expect([await seenBy(ann), await seenBy(ed), await seenBy(vi)]).toEqual([
        { ...none, projects: { [id]: 'Ferries' } },
        { ...none, projects: { [id]: 'Ferries' } },
        none,
      ]);
      const published = await publishedOf(id);
      expect(published).toEqual([
        {
          type: 'parlance.inference.project-shared.v1',
          actor: ann,
          data: { project_id: id, owner_user_id: ann, user_id: ed, role: 'viewer' },
        },
      ]);
      await call(ann, 'delete', `/projects/${id}/members/${ed}`);
      expect(await seenBy(ed)).toEqual(none);
      await call(ann, 'delete', `/projects/${id}`);
      expect(await seenBy(ann)).toEqual(none);
      expect(code(await call(ann, 'post', '/internal/seen-titles', { project_ids: [], awaiting_reply_ids: [] }))).toEqual([
        404,
        'no_such_route',
      ]);
    });
    it('whose instruction is part of the prompt, as long as the user is a member', async () => {
      const { ann, vi } = await users();
      const id = await create(ann, { instruction: 'Answer in one word.' });
      await call(ann, 'put', `/projects/${id}/members/${vi}`, { role: 'viewer' });
      const model = new ScriptedModel();
      model.enter();
      const asked = async (text: string, more: object) => {
        const { body } = await ask(vi, text, more);
        const made = await model.call(text);
        made.say('Yes.').end();
        const path = `/conversation/${body.conversation_id}/${body.message_id}`;
        await waitFor(async () => (await call(vi, 'get', path)).status === 200, { what: 'the reply' });
        return { conversation_id: body.conversation_id as string, instruction: made.prompt.instruction };
      };
      try {
        const { conversation_id, instruction } = await asked('First?', { project_id: id });
        expect(instruction).toBe('Answer in one word.');
        expect((await asked('Second?', { conversation_id })).instruction).toBe('Answer in one word.');
        await call(ann, 'delete', `/projects/${id}/members/${vi}`);
        expect((await asked('Third?', { conversation_id })).instruction).toBe('');
      } finally {
        jest.restoreAllMocks();
      }
    });
    it('which are erased with their owner, and left by erased members', async () => {
      const { ann, vi } = await users();
      const [hers, theirs] = [await create(ann), await create(vi)];
      await call(ann, 'put', `/projects/${hers}/members/${vi}`, { role: 'editor' });
      await call(vi, 'put', `/projects/${theirs}/members/${ann}`, { role: 'viewer' });
      const erasing = request(serviceOf().server).post('/internal/erasures').set(serviceOf().asService('identity'));
      expect((await erasing.send({ user_id: vi })).body.removed).toMatchObject({ projects: 1 });
      expect((await call(ann, 'get', '/projects')).body.projects).toMatchObject([{ project_id: hers }]);
      expect((await call(ann, 'get', `/projects/${hers}`)).body.members).toEqual([{ user_id: ann, role: 'owner' }]);
    });
  });

  describe('are pinned', () => {
    it('and unpinned, and listed by their last message', async () => {
      const ann = newId();
      const chats = [await say(ann, 'One.'), await say(ann, 'Two.'), await say(ann, 'Three.')];
      const pin = (id: string, pinned: boolean, userId = ann) => call(userId, 'put', `/conversation/${id}/pinned`, { pinned });
      for (const id of [chats[1]!, chats[0]!]) expect((await pin(id, true)).body).toMatchObject({ conversation_id: id, pinned: true });
      const first = await call(ann, 'get', '/conversations?pinned=true&limit=1');
      expect(first.body.conversations).toMatchObject([{ conversation_id: chats[1] }]);
      expect(await idsOf(ann, `/conversations?pinned=true&limit=1&next_token=${first.body.next_token}`)).toEqual([chats[0]]);
      expect(code(await call(ann, 'get', `/conversations?next_token=${first.body.next_token}`))).toEqual([400, 'invalid_next_token']);
      expect((await pin(chats[1]!, false)).body.pinned).toBe(false);
      expect(await idsOf(ann, '/conversations?pinned=true')).toEqual([chats[0]]);
      await call(ann, 'delete', `/conversation/${chats[0]}`);
      expect(await idsOf(ann, '/conversations?pinned=true')).toEqual([]);
      expect(code(await pin(chats[2]!, true, newId()))).toEqual([404, 'conversation_not_found']);
      const temporary = await say(ann, 'Soon gone.', { temporary: true });
      expect(code(await pin(temporary, true))).toEqual([409, 'conversation_is_temporary']);
    });
  });
}
