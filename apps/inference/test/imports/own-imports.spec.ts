import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { KeysOfUsers, type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import request from 'supertest';
import { inference } from '../../src/service.ts';
import { branched, noon, ofChatGpt, ofClaude, ofParlance, says, zipOf } from './exported-files.ts';

describe('an import by a user', () => {
  let service: ServiceUnderTest;
  const keys = new KeysOfUsers();
  beforeAll(async () => {
    service = await serviceUnderTest(inference);
    await keys.enter(service.host);
  });
  afterAll(() => service.stop());

  const send = async (userId: string, body: unknown, query = '') => {
    const isArchive = Buffer.isBuffer(body);
    return request(service.server)
      .post(`/conversations/imports${query}`)
      .set(service.as(userId))
      .set('content-type', isArchive ? 'application/zip' : 'application/json')
      .send(isArchive ? body : JSON.stringify(body));
  };
  const get = async (userId: string, path: string) => (await request(service.server).get(path).set(service.as(userId))).body;
  const read = (userId: string, id: string) => get(userId, `/conversation/${id}`);
  /** Texts with the texts before them. */
  const treeOf = (map: Record<string, { parent: string | null; role: string; content: readonly { body: string }[] }>) =>
    Object.values(map).map(({ parent, role, content }) => [role, content[0]!.body, parent === null ? null : map[parent]!.content[0]!.body]);

  it('accepts a conversation of ChatGPT with its branches, times and models', async () => {
    const ann = newId();
    const { status, body } = await send(ann, [branched('sky')]);
    expect([status, body.source, body.is_complete, body.imported, body.left_out]).toEqual([200, 'chatgpt', true, 1, []]);
    const [{ conversation_id: id, source_id, messages }] = body.conversations;
    expect([source_id, messages]).toEqual(['sky', 5]);
    const conversation = await read(ann, id);
    expect(conversation).toMatchObject({ title: 'Title of sky', create_time: noon / 1000 + 0.25, bot_id: null, total_price: 0 });
    expect(conversation.last_message_time).toBe(noon / 1000 + 5);
    expect(treeOf(conversation.message_map)).toEqual(
      expect.arrayContaining([
        ['user', 'Why is the sky blue?', null],
        ['assistant', 'I do not know.', 'Why is the sky blue?'],
        ['assistant', 'It scatters light.', 'Why is the sky blue?'],
        ['user', 'And the sea?', 'It scatters light.'],
        ['assistant', 'It mirrors the sky.', 'And the sea?'],
      ]),
    );
    const last = conversation.message_map[conversation.last_message_id];
    expect(last.content[0].body).toBe('It mirrors the sky.');
    expect(Object.values<{ model: string }>(conversation.message_map).map(({ model }) => model)).toContain('gpt-4o');
  });

  it('lists and finds the conversations like others, for their user only', async () => {
    const [ann, ben] = [newId(), newId()];
    const [{ conversation_id: id }] = (await send(ann, [branched('sky')])).body.conversations;
    expect((await get(ann, '/conversations')).conversations).toMatchObject([{ conversation_id: id }]);
    expect((await get(ann, '/conversations/search?query=scatters')).results).toMatchObject([{ conversation_id: id }]);
    expect((await read(ben, id)).code).toBe('conversation_not_found');
    expect((await get(ben, '/conversations/search?query=scatters')).results).toEqual([]);
  });

  it('leaves out unsupported parts, reports them, and keeps the tree around them', async () => {
    const ann = newId();
    const file = ofChatGpt('mixed', [
      says('s', 'root', 'system', 'You are kind.'),
      {
        id: 'q',
        parent: 's',
        role: 'user',
        content: { content_type: 'multimodal_text', parts: [{ content_type: 'image_asset_pointer' }, 'See?'] },
      },
      says('t0', 'q', 'assistant', 'search()', { recipient: 'browser' }),
      says('t1', 't0', 'tool', 'found'),
      { id: 'th', parent: 't1', role: 'assistant', content: { content_type: 'thoughts', thoughts: [] } },
      says('a', 'th', 'assistant', 'I see.', { metadata: { attachments: [{ name: 'a.pdf' }] } }),
    ]);
    const { body } = await send(ann, [file]);
    const reasons = body.left_out.map(({ source_id, reason, count }: Record<string, unknown>) => [source_id, reason, count]);
    expect(reasons).toEqual([
      ['mixed', 'system_message', 1],
      ['mixed', 'image', 1],
      ['mixed', 'tool_message', 2],
      ['mixed', 'reasoning', 1],
      ['mixed', 'attachment', 1],
    ]);
    for (const { detail } of body.left_out) expect(detail).toMatch(/^[A-Z].*\.$/);
    expect(treeOf((await read(ann, body.conversations[0].conversation_id)).message_map)).toEqual([
      ['assistant', 'I see.', 'See?'],
      ['user', 'See?', null],
    ]);
  });

  it('accepts conversations of Claude, with the parents that newer exports name', async () => {
    const ann = newId();
    const say = (uuid: string, sender: string, text: string, more: object = {}) => ({
      uuid,
      sender,
      text,
      content: [{ type: 'text', text }],
      ...more,
    });
    const old = ofClaude('old', [say('q', 'human', 'one'), say('a', 'assistant', 'two'), say('q2', 'human', 'three')]);
    const root = { parent_message_uuid: '00000000-0000-4000-8000-000000000000' };
    const branch = { parent_message_uuid: 'q' };
    const recent = ofClaude('new', [
      say('q', 'human', 'one', root),
      say('a', 'assistant', 'two', branch),
      say('b', 'assistant', 'three', branch),
    ]);
    const { body } = await send(ann, [old, recent]);
    expect([body.source, body.imported]).toEqual(['claude', 2]);
    const [first, second] = await Promise.all(
      body.conversations.map(({ conversation_id: id }: { conversation_id: string }) => read(ann, id)),
    );
    expect(treeOf(first.message_map)).toEqual(
      expect.arrayContaining([
        ['user', 'three', 'two'],
        ['assistant', 'two', 'one'],
      ]),
    );
    expect(treeOf(second.message_map)).toEqual(
      expect.arrayContaining([
        ['assistant', 'two', 'one'],
        ['assistant', 'three', 'one'],
      ]),
    );
  });

  it('accepts an archive of own data, and of the other products', async () => {
    const ann = newId();
    const own = ofParlance('c1', [{ id: 'm1', parent_id: null, role: 'user', text: 'hello' }]);
    const manifest = JSON.stringify({ format: 'parlance-own-data/1' });
    const archive = zipOf({ name: 'manifest.json', data: manifest }, { name: 'conversations/c1.json', data: JSON.stringify(own) });
    expect((await send(ann, archive)).body).toMatchObject({ source: 'parlance', imported: 1, conversations: [{ source_id: 'c1' }] });
    const other = zipOf({ name: 'images/a.png', data: 'x' }, { name: 'conversations.json', data: JSON.stringify([branched('sky')]) });
    expect((await send(ann, other)).body).toMatchObject({ source: 'chatgpt', imported: 1 });
  });

  it('writes nothing in a dry run, and returns the same report', async () => {
    const ann = newId();
    const file = [branched('sky'), ofChatGpt('empty', [])];
    const dry = (await send(ann, file, '?dry_run=true')).body;
    expect((await get(ann, '/conversations')).conversations).toEqual([]);
    expect({ ...dry, dry_run: false }).toEqual((await send(ann, file)).body);
    expect(dry).toMatchObject({ dry_run: true, imported: 1, left_out: [{ source_id: 'empty', reason: 'no_messages' }] });
  });

  it('creates no second conversation, even from a later version of the file', async () => {
    const ann = newId();
    const first = (await send(ann, [branched('sky')])).body;
    const again = (await send(ann, [branched('sky')])).body;
    expect([again.imported, again.unchanged]).toEqual([0, 1]);
    expect(again.conversations[0].conversation_id).toBe(first.conversations[0].conversation_id);
    const longer = branched('sky');
    const more = ofChatGpt('sky', [says('q3', 'a3', 'user', 'Why?')]).mapping['q3'];
    expect((await send(ann, [{ ...longer, mapping: { ...longer.mapping, q3: more } }])).body).toMatchObject({ imported: 0, unchanged: 1 });
    expect((await get(ann, '/conversations')).conversations).toHaveLength(1);
    expect(Object.keys((await read(ann, first.conversations[0].conversation_id)).message_map)).toHaveLength(5);
  });

  it('gives two users separate conversations', async () => {
    const [ann, ben] = [newId(), newId()];
    const ids = [];
    for (const user of [ann, ben]) ids.push((await send(user, [branched('sky')])).body.conversations[0].conversation_id);
    expect(new Set(ids).size).toBe(2);
  });

  it('does not bring back what the user has deleted', async () => {
    const ann = newId();
    const [{ conversation_id: id }] = (await send(ann, [branched('sky')])).body.conversations;
    await request(service.server).delete(`/conversation/${id}`).set(service.as(ann));
    const { body } = await send(ann, [branched('sky')]);
    expect([body.imported, body.deleted, body.conversations[0].status]).toEqual([0, 1, 'deleted']);
    expect((await get(ann, '/conversations')).conversations).toEqual([]);
  });

  it('does not change an existing conversation of this installation', async () => {
    const ann = newId();
    const [{ conversation_id: id }] = (await send(ann, [branched('sky')])).body.conversations;
    const { body } = await send(ann, ofParlance(id, [{ id: 'm1', parent_id: null, role: 'user', text: 'hello' }]));
    expect([body.imported, body.unchanged]).toEqual([0, 1]);
    expect(body.conversations[0].conversation_id).toBe(id);
    const ben = newId();
    expect((await send(ben, ofParlance(id, [{ id: 'm1', parent_id: null, role: 'user', text: 'hello' }]))).body.imported).toBe(1);
  });

  it('does not accept a time in the future, which would protect a conversation from retention rules', async () => {
    const ann = newId();
    const file = ofClaude('late', [{ uuid: 'q', sender: 'human', text: 'late', created_at: '9999-01-01T00:00:00Z' }], {
      created_at: '9999-01-01',
    });
    const [{ conversation_id: id }] = (await send(ann, [file])).body.conversations;
    const { create_time, last_message_time } = await read(ann, id);
    expect(Math.max(create_time, last_message_time) * 1000).toBeLessThanOrEqual(Date.now());
    expect((await send(ann, [file])).body.unchanged).toBe(1);
  });

  it('is removed with its user, and does not come back', async () => {
    const eve = newId();
    const [{ conversation_id: id }] = (await send(eve, [branched('sky')])).body.conversations;
    await keys.erase(eve);
    const erased = await request(service.server).post('/internal/erasures').set(service.asService('identity')).send({ user_id: eve });
    expect(erased.body.removed).toMatchObject({ conversations: 1, messages: 5 });
    expect((await read(eve, id)).code).toBe('conversation_not_found');
    expect((await send(eve, [branched('sky')])).body).toMatchObject({ imported: 0, deleted: 1 });
    expect((await send(eve, [branched('sea')])).body).toMatchObject({ imported: 0, left_out: [{ reason: 'import_refused' }] });
  });

  it('is for signed-in users', async () => {
    expect((await request(service.server).post('/conversations/imports').send([])).status).toBe(401);
  });
});
