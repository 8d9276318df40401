import { afterAll, describe, expect, it } from '@jest/globals';
import { PromptChanged, PromptCreated, PromptDeleted, PromptSharingChanged } from '@parlance/contracts';
import { EventStore, newId } from '@parlance/event-store';
import { KeysOfUsers } from '@parlance/foundation/harness';
import { AuditRecorder, type ViewedAction } from '@parlance/http';
import type { CloudEvent } from '@parlance/messaging';
import { waitFor } from '@parlance/testing';
import { MAX_PROMPT_VERSIONS } from '../src/domain/prompts/prompt-limits.ts';
import { promptsStream } from '../src/domain/prompts/prompts.ts';
import { type Answer, BotsUnderTest, type Headers } from './bots-under-test.ts';

const bots = await BotsUnderTest.start();
const keys = new KeysOfUsers();
await keys.enter(bots.service.host);
const published: CloudEvent[] = [];
await bots.service.host.broker.subscribe({
  group: 'listener',
  topics: ['parlance.bots'],
  handle: async (deliveries) => void published.push(...deliveries.map(({ event }) => event)),
});
afterAll(() => bots.stop());

const as = (userId: string, ...groups: string[]) => bots.service.as(userId, ...groups);
const admin = () => as('root', 'Admin');
const mail = {
  title: 'Polite mail',
  command: 'mail',
  description: 'For customers',
  text: 'Write to {{name}} in a {{tone|warm|dry}} tone.',
};
const create = async (userId: string, more: object = {}) => {
  const { status, body } = await bots.ask('POST', '/prompts', as(userId), { ...mail, ...more });
  expect([status, body.code]).toEqual([201, undefined]);
  return body.id as string;
};
const change = (id: string, body: object, headers: Headers) => bots.ask('PATCH', `/prompts/${id}`, headers, body);
const share = (id: string, body: object, headers: Headers) => bots.ask('PATCH', `/prompts/${id}/visibility`, headers, body);
const restore = (id: string, version: number, headers: Headers) => bots.ask('POST', `/prompts/${id}/restore`, headers, { version });
const codeOf = ({ status, body }: Answer) => [status, body.code];
const idsFrom = async (url: string, headers: Headers) =>
  ((await bots.get(url, headers)).body.prompts as { id: string }[]).map(({ id }) => id);
const eventsOf = (id: string) =>
  published.map(({ type, data }) => ({ type, data: data as { prompt_id?: string } })).filter(({ data }) => data.prompt_id === id);

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
    const events = () => published.filter(({ type, data }) => type === PromptDeleted.type && (data as PromptDeleted).owner_user_id === ann);
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
