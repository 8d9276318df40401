import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CONTINUE_AT_HEADER, CONTINUES_HEADER } from '@parlance/http';
import { newId } from '@parlance/event-store';
import { waitFor } from '@parlance/testing';
import { firstApi, message, otherApi, type Place, PublishedWorld } from './published-world.ts';

describe('a conversation through a published API', () => {
  const world = new PublishedWorld();
  beforeAll(() => world.open());
  afterAll(() => world.service.stop());

  it('is started without naming the bot, and fetched with its reply', async () => {
    const { status, body } = await world.call('post', '/conversation', { message: message('Why is the sky blue?') });
    expect([status, Object.keys(body)]).toEqual([202, ['conversation_id', 'message_id']]);
    const one = await world.finished(body);
    expect(one).toMatchObject({ conversation_id: body.conversation_id, status: 'completed', message: { role: 'assistant' } });
    expect(one.message.content[0].body).not.toBe('');
    const whole = await world.call('get', `/conversation/${body.conversation_id}`);
    expect(whole.body).toMatchObject({ bot_id: firstApi.botId, last_message_id: body.message_id, title: 'Why is the sky blue?' });
    expect(Object.keys(whole.body.message_map)).toHaveLength(2);
  });

  it('continues with its ID, even with another key, and the program may choose the ID', async () => {
    const conversation_id = newId();
    const first = await world.say('One', { conversation_id });
    const second = await world.call(
      'post',
      '/conversation',
      { conversation_id, message: message('Two') },
      {},
      { ...firstApi, keyId: newId() },
    );
    expect([second.status, second.body.conversation_id]).toEqual([202, conversation_id]);
    expect((await world.finished(second.body as Place)).message.parent).not.toBe(first.message_id);
  });

  it('answers another reply, and a continuation', async () => {
    const { conversation_id, message_id } = await world.say('Again?');
    const question = (await world.finished({ conversation_id, message_id })).message.parent;
    const again = { conversation_id, message: { content: [], parent_message_id: question } };
    const other = await world.call('post', '/conversation', again);
    expect([other.status, (await world.finished(other.body)).message.parent]).toEqual([202, question]);
    const more = { conversation_id, message: { content: [] }, continue_generate: true };
    expect((await world.call('post', '/conversation', more)).status).toBe(202);
  });

  it('answers a request that prefers to wait with the finished message', async () => {
    const { status, body, headers } = await world.call('post', '/conversation', { message: message('Soon?') }, { prefer: 'wait=20' });
    expect([status, body.status, headers['preference-applied']]).toEqual([200, 'completed', 'wait=20']);
  });

  it('streams a reply, and resumes the stream after an event', async () => {
    const reader = await world.stream('/conversation', { method: 'POST', body: JSON.stringify({ message: message('Stream?') }) });
    await reader.whole();
    const { conversation_id, message_id } = reader.events[0]!.data as Place;
    expect([reader.names.split(' ')[0], reader.last.event]).toEqual(['start', 'done']);
    const at = reader.events.find(({ event }) => event === 'delta')!.id;
    const rest = `/conversation/${conversation_id}/${message_id}/stream`;
    const resumed = await world.stream(rest, { headers: { 'last-event-id': at, [CONTINUES_HEADER]: '1' } });
    await resumed.whole();
    expect(resumed.headers.get(CONTINUE_AT_HEADER)).toMatch(new RegExp(`^/published/.*${rest}$`));
    expect([resumed.names.includes('start'), resumed.last.event]).toEqual([false, 'done']);
  });

  it('answers 404 for a message and a conversation that it does not have', async () => {
    const place = await world.say('Here?');
    const { conversation_id } = place;
    const question = (await world.finished(place)).message.parent;
    expect((await world.call('get', `/conversation/${conversation_id}/${question}/stream`)).body.code).toBe('message_not_found');
    expect((await world.call('get', `/conversation/${conversation_id}/${newId()}`)).body.code).toBe('message_not_found');
    expect((await world.call('get', `/conversation/${newId()}`)).body.code).toBe('conversation_not_found');
  });

  it.each([
    ['a bot', { bot_id: firstApi.botId, message: message('x') }, 400, 'invalid_body'],
    ['no content', { message: { content: [] } }, 400, 'content_required'],
    ['a model that the bot does not have', { message: message('x', { model: 'gpt-x' }) }, 400, 'model_not_available'],
  ])('refuses a request with %s', async (_, body, status, code) => {
    const answer = await world.call('post', '/conversation', body);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  it('refuses a message when its bot was deleted, and nothing is recorded', async () => {
    world.bots.isDeleted = true;
    const conversation_id = newId();
    const answer = await world.call('post', '/conversation', { conversation_id, message: message('x') });
    world.bots.isDeleted = false;
    expect([answer.status, answer.body.code]).toEqual([404, 'bot_not_found']);
    expect((await world.call('get', `/conversation/${conversation_id}`)).status).toBe(404);
  });

  it('is deleted by its API, and its ID cannot be used again', async () => {
    const { conversation_id } = await world.say('Delete me');
    expect((await world.call('delete', `/conversation/${conversation_id}`, undefined, {}, otherApi)).status).toBe(404);
    const { status, body } = await world.call('delete', `/conversation/${conversation_id}`);
    expect([status, body.removed]).toEqual([200, { messages: 2 }]);
    const after = await world.call('post', '/conversation', { conversation_id, message: message('x') });
    expect([after.status, after.body.code]).toEqual([404, 'conversation_not_found']);
  });
});

describe('a prediction of a published API', () => {
  const world = new PublishedWorld();
  beforeAll(() => world.open());
  afterAll(() => world.service.stop());

  it('is polled by its request ID until it is completed', async () => {
    const accepted = await world.call('post', '/predict', { message: 'What is rain?' });
    expect([accepted.status, accepted.body]).toEqual([
      202,
      { request_id: accepted.body.request_id, status: 'processing', message: expect.stringContaining('Poll') },
    ]);
    const path = `/result/${accepted.body.request_id}`;
    await waitFor(async () => (await world.call('get', path)).status === 200, { what: 'the result' });
    const { body } = await world.call('get', path);
    expect(body).toMatchObject({ request_id: accepted.body.request_id, status: 'completed', usage: { input_tokens: expect.any(Number) } });
    expect(body.response.length).toBeGreaterThan(0);
    expect((await world.call('get', `/result/${newId()}`)).body.code).toBe('request_not_found');
    expect((await world.call('get', path, undefined, {}, otherApi)).body.code).toBe('request_not_found');
  });

  it('has its own conversation', async () => {
    const one = await world.call('post', '/predict', { message: 'One' });
    const two = await world.call('post', '/predict', { message: 'Two' });
    expect(one.body.request_id).not.toBe(two.body.request_id);
  });

  it.each([[{}], [{ message: '' }], [{ message: 'x', temperature: 3 }], [{ message: 'x', max_tokens: 0 }], [{ message: 'x', model: 'y' }]])(
    'refuses %j',
    async (body) => expect((await world.call('post', '/predict', body)).body.code).toBe('invalid_body'),
  );
});
