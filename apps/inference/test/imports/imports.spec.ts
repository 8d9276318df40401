import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { KeysOfUsers, type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import request from 'supertest';
import { inference } from '../../src/service.ts';

const [ann, ben, eve] = [newId(), newId(), newId()];
const SECOND = 1_000;
const noon = Date.parse('2025-03-04T12:00:00Z');
/** The smallest valid image. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

/** A question with two answers, a question after the second one, and its answer. */
function exported(userId: string, id = newId()) {
  const ids = Array.from({ length: 5 }, () => newId());
  const [q1, a1, a2, q2, a3] = ids as [string, string, string, string, string];
  const say = (messageId: string, role: string, parent: string | null, index: number, more: object = {}) => {
    return { id: messageId, role, parent, at: noon + index * SECOND, model: 'claude-v3-sonnet', text: `text ${index}`, ...more };
  };
  const chunk = {
    content: 'The sky scatters.',
    source: 'https://example.com/sky',
    source_name: 'Sky',
    source_id: 's1',
    page_number: null,
    rank: 1,
  };
  return {
    ids: { q1, a1, a2, q2, a3 },
    conversation: {
      id,
      user_id: userId,
      bot_id: null,
      part: 0,
      title: 'The sky',
      started_at: noon,
      last_message_id: a3,
      last_message_at: noon + 4 * SECOND,
      model: 'claude-v3-sonnet',
      cost_nano_dollars: 123_456_789,
      messages: [
        say(q1, 'user', null, 0, { files: [{ kind: 'image', body: PIXEL }] }),
        say(a1, 'assistant', q1, 1, { feedback: { thumbs_up: false, category: 'wrong', comment: 'No.' } }),
        say(a2, 'assistant', q1, 2, { reasoning: 'It is blue.', chunks: [chunk] }),
        say(q2, 'user', a2, 3),
        say(a3, 'assistant', q2, 4),
      ],
    },
  };
}

describe('conversations of another product', () => {
  let service: ServiceUnderTest;
  const keys = new KeysOfUsers();
  const send = async (name: string, conversations: object[]) =>
    request(service.server).post('/internal/imports').set(service.asService('parlance')).send({ name, conversations });
  const results = async (name: string, ...conversations: object[]) => (await send(name, conversations)).body.results;
  const totals = async (name: string) =>
    (await request(service.server).get(`/internal/imports/${name}`).set(service.asService('parlance'))).body;
  const get = async (userId: string, path: string) => request(service.server).get(path).set(service.as(userId));
  const first = exported(ann);

  beforeAll(async () => {
    service = await serviceUnderTest(inference);
    await keys.enter(service.host);
  });
  afterAll(() => service.stop());

  it('are imported, and read as if they had been written here', async () => {
    const { conversation, ids } = first;
    expect(await results('old', conversation)).toEqual([{ id: conversation.id, status: 'imported' }]);
    const { body } = await get(ann, `/conversation/${conversation.id}`);
    expect(body).toMatchObject({
      title: 'The sky',
      last_message_id: ids.a3,
      create_time: noon / 1000,
      last_message_time: noon / 1000 + 4,
      total_price: 0.123456789,
    });
    const { message_map: map } = body;
    expect(Object.keys(map)).toHaveLength(5);
    expect(map[ids.q1]).toMatchObject({ parent: null, children: [ids.a1, ids.a2], create_time: noon / 1000 });
    expect(map[ids.q1].content).toEqual([expect.objectContaining({ content_type: 'image' }), { content_type: 'text', body: 'text 0' }]);
    expect(map[ids.a1].feedback).toEqual({ thumbs_up: false, category: 'wrong', comment: 'No.' });
    expect(map[ids.a2]).toMatchObject({ parent: ids.q1, children: [ids.q2], used_chunks: [{ source_name: 'Sky', rank: 1 }] });
    expect(map[ids.a2].content).toContainEqual({ content_type: 'reasoning', body: 'It is blue.' });
    expect(map[ids.a3]).toMatchObject({ parent: ids.q2, children: [], model: 'claude-v3-sonnet' });
  });
  it('show the documents that their replies cite', async () => {
    const { body } = await get(ann, `/conversation/${first.conversation.id}/related-documents`);
    expect(JSON.stringify(body)).toContain('https://example.com/sky');
  });
  it('are in the list of their user, and of no other', async () => {
    expect((await get(ann, '/conversations')).body.conversations).toMatchObject([{ conversation_id: first.conversation.id }]);
    expect((await get(ben, `/conversation/${first.conversation.id}`)).status).toBe(404);
  });
  it('change nothing when they are sent again', async () => {
    const before = await totals('old');
    expect(await results('old', first.conversation)).toEqual([{ id: first.conversation.id, status: 'unchanged' }]);
    expect(await totals('old')).toEqual(before);
    expect(before).toEqual({ conversations: 1, messages: 5, nano_dollars: 123_456_789 });
  });
  it('count only with their cost if they belonged to programs, and are not conversations of the owner', async () => {
    const { conversation } = exported(ben);
    const use = { ...conversation, bot_id: newId(), messages: [], use_only: true };
    expect(await results('programs', use)).toEqual([{ id: use.id, status: 'imported' }]);
    expect(await results('programs', use)).toEqual([{ id: use.id, status: 'unchanged' }]);
    expect(await totals('programs')).toEqual({ conversations: 1, messages: 0, nano_dollars: 123_456_789 });
    expect((await get(ben, '/conversations')).body.conversations).toEqual([]);
    expect((await get(ben, `/conversation/${use.id}`)).status).toBe(404);
    expect(await results('programs', { ...use, id: newId(), bot_id: null })).toMatchObject([{ status: 'refused' }]);
  });
  it('are split into parts when they are long', async () => {
    const { conversation, ids } = exported(ann);
    const { messages } = conversation;
    const parts = [0, 1].map((part) => ({ ...conversation, part, messages: part === 0 ? messages.slice(0, 3) : messages.slice(3) }));
    expect(await results('old', parts[1]!)).toMatchObject([{ status: 'refused', code: 'import_part_missing' }]);
    for (const part of parts) expect(await results('old', part)).toMatchObject([{ status: 'imported' }]);
    for (const part of parts) expect(await results('old', part)).toMatchObject([{ status: 'unchanged' }]);
    const { message_map: map } = (await get(ann, `/conversation/${conversation.id}`)).body;
    expect([Object.keys(map).length, map[ids.a2].children]).toEqual([5, [ids.q2]]);
  });
  it('are imported without a file that is not an image', async () => {
    const { conversation, ids } = exported(ann);
    const [head, ...rest] = conversation.messages;
    const spoiled = { ...conversation, messages: [{ ...head, files: [{ kind: 'image', body: 'bm90IGFuIGltYWdl' }] }, ...rest] };
    expect(await results('old', spoiled)).toMatchObject([
      { status: 'imported', left_files: [{ message_id: ids.q1, reason: expect.any(String) }] },
    ]);
  });
  it('are refused individually', async () => {
    const [taken, good] = [exported(ben, first.conversation.id), exported(ben)];
    const answers = await results('old', { ...good.conversation, messages: 'none' }, taken.conversation, good.conversation);
    expect(answers).toMatchObject([
      { status: 'refused', code: 'invalid_conversation', detail: expect.stringContaining('messages') },
      { status: 'refused', code: 'conversation_id_taken' },
      { status: 'imported' },
    ]);
  });
  it('are for other services only', async () => {
    expect((await request(service.server).post('/internal/imports').set(service.as(ann, 'Admin')).send({})).status).toBe(404);
  });
  it('are removed when their user is erased, and do not come back', async () => {
    const { conversation } = exported(eve);
    await results('old', conversation);
    await keys.erase(eve);
    const erased = await request(service.server).post('/internal/erasures').set(service.asService('identity')).send({ user_id: eve });
    expect(erased.body.removed).toMatchObject({ conversations: 1, messages: 5, files: 1 });
    expect((await get(eve, `/conversation/${conversation.id}`)).status).toBe(404);
    expect(await results('old', conversation)).toMatchObject([{ status: 'refused' }]);
  });
});
