import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { type Place, ToolWorld } from './tool-world.ts';

// The answers of endpoints are under test, so they are not typed.
type Answered = any; // oxlint-disable-line no-explicit-any
type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

const NO_BOT = { bot_id: undefined };

describe("a user's memory", () => {
  const world = new ToolWorld();
  const { model } = world;
  const call = async (userId: string, method: Method, path: string, body?: object) => {
    const sending = request(world.address)[method](path).set(world.service.as(userId));
    const { status, body: answer } = await (body ? sending.send(body) : sending);
    return { status, body: answer as Answered };
  };
  const code = ({ status, body }: { status: number; body: Answered }) => [status, body.code];
  const add = async (userId: string, text: string): Promise<string> => {
    const { status, body } = await call(userId, 'post', '/user/me/memories', { text });
    expect(status).toBe(201);
    return body.memory_id;
  };
  const turn = (userId: string, enabled: boolean) => call(userId, 'put', '/user/me/memory', { enabled });
  const textsOf = async (userId: string): Promise<string[]> =>
    (await call(userId, 'get', '/user/me/memories')).body.memories.map(({ text }: { text: string }) => text);
  /** Sends a message. The model answers at once. */
  const asked = async (text: string, more: object = NO_BOT, userId = 'ann') => {
    const { status, body } = await call(userId, 'post', '/conversation', {
      message: { content: [{ content_type: 'text', body: text }] },
      bot_id: '01K0000000000000000000000B',
      ...more,
    });
    expect(status).toBe(202);
    const { prompt } = (await model.call(text)).say('Yes.').end();
    await waitFor(async () => (await call(userId, 'get', world.pathOf(body as Place))).status === 200, { what: 'the end of the reply' });
    const { memory = [], tools = [] } = prompt;
    return { place: body as Place, memory, tools: tools.map(({ name }) => name) };
  };
  /** Sends a message. The model remembers these texts, and then ends. Resolves with the results. */
  const remembering = async (question: string, texts: readonly string[]) => {
    const place = await world.ask(question, {}, NO_BOT);
    const first = await model.call(question);
    for (const text of texts) first.use('remember', { text });
    first.await();
    const second = await model.call(question, 1);
    second.say('Noted.').end();
    return { place, message: (await world.finished(place)).message as Answered, results: ToolWorld.resultsIn(second) };
  };

  beforeAll(() => world.open());
  afterAll(async () => {
    await world.service.stop();
    jest.restoreAllMocks();
  });

  describe('has entries', () => {
    it('that are added, read, changed, listed and removed', async () => {
      const ann = newId();
      const id = await add(ann, 'Works in Lisbon.');
      const { body } = await call(ann, 'get', `/user/me/memories/${id}`);
      const origin = { added_by: 'user', conversation_id: null, message_id: null };
      const times = { create_time: expect.any(Number), last_change_time: expect.any(Number) };
      expect(body).toEqual({ memory_id: id, text: 'Works in Lisbon.', ...origin, ...times });
      expect((await call(ann, 'patch', `/user/me/memories/${id}`, { text: 'Works in Porto.' })).body.text).toBe('Works in Porto.');
      const other = await add(ann, 'Has a dog.');
      const first = await call(ann, 'get', '/user/me/memories?limit=1');
      expect(first.body.memories).toMatchObject([{ memory_id: other }]);
      const second = await call(ann, 'get', `/user/me/memories?limit=1&next_token=${first.body.next_token}`);
      expect(second.body).toMatchObject({ memories: [{ memory_id: id, text: 'Works in Porto.' }], next_token: null });
      expect((await call(ann, 'delete', `/user/me/memories/${id}`)).status).toBe(204);
      for (const method of ['get', 'delete'] as const)
        expect(code(await call(ann, method, `/user/me/memories/${id}`))).toEqual([404, 'memory_not_found']);
      expect(code(await call(ann, 'patch', `/user/me/memories/${id}`, { text: 'A' }))).toEqual([404, 'memory_not_found']);
      await add(ann, 'Sings.');
      expect((await call(ann, 'delete', '/user/me/memories')).status).toBe(204);
      expect(await textsOf(ann)).toEqual([]);
    });
    it.each([{}, { text: '' }, { text: ' ' }, { text: 'x'.repeat(501) }, { text: null }])(
      'that are well-formed, and not %j',
      async (body) => expect((await call(newId(), 'post', '/user/me/memories', body)).body.code).toBe('invalid_body'),
    );
    it('that other users do not find', async () => {
      const id = await add(newId(), 'Works in Lisbon.');
      for (const method of ['get', 'delete'] as const)
        expect(code(await call(newId(), method, `/user/me/memories/${id}`))).toEqual([404, 'memory_not_found']);
    });
  });

  describe('is part of prompts', () => {
    it('once the user has turned it on, and no longer when it is off', async () => {
      await add('ann', 'Works in Lisbon.');
      expect((await call('ann', 'get', '/user/me/memory')).body).toEqual({ enabled: false, allowed: true });
      expect(await asked('Off?')).toMatchObject({ memory: [], tools: [] });
      expect((await turn('ann', true)).body).toEqual({ enabled: true, allowed: true });
      const id = await add('ann', 'Has a dog.');
      const { place, memory, tools } = await asked('On?');
      expect([memory, tools]).toEqual([['Has a dog.', 'Works in Lisbon.'], ['remember']]);
      const { body } = await call('ann', 'get', `${world.pathOf(place)}/provenance`);
      expect(body.memory_ids).toEqual([id, expect.any(String)]);
      expect((await asked('Whose?', NO_BOT, newId())).memory).toEqual([]);
      await turn('ann', false);
      expect(await asked('Off again?')).toMatchObject({ memory: [], tools: [] });
      expect(await textsOf('ann')).toHaveLength(2);
      await turn('ann', true);
    });
    it('unless it is off for the conversation', async () => {
      const { place, memory, tools } = await asked('Without?', { ...NO_BOT, memory: false });
      expect([memory, tools]).toEqual([[], []]);
      const { conversation_id } = place;
      expect((await call('ann', 'get', `/conversation/${conversation_id}`)).body.memory).toBe(false);
      expect((await asked('Still without?', { ...NO_BOT, conversation_id })).memory).toEqual([]);
      const turned = await call('ann', 'put', `/conversation/${conversation_id}/memory`, { enabled: true });
      expect(turned.body).toMatchObject({ conversation_id, memory: true });
      expect((await asked('With?', { ...NO_BOT, conversation_id })).memory).toHaveLength(2);
      expect(code(await call(newId(), 'put', `/conversation/${conversation_id}/memory`, { enabled: false }))).toEqual([
        404,
        'conversation_not_found',
      ]);
    });
    it('of temporary conversations, which add nothing to it', async () =>
      expect(await asked('Soon gone?', { ...NO_BOT, temporary: true })).toMatchObject({ memory: expect.any(Array), tools: [] }));
    it('of own bots, and of bots of others that allow it', async () => {
      const tools = { tools: [{ name: 'calculator', approval: 'never' }] };
      const uses = async (question: string, settings: object) => {
        world.bots.settings = { ...tools, ...settings };
        const { memory, tools: offered } = await asked(question, {});
        return [memory.length > 0, offered.includes('remember')];
      };
      expect(await uses('Mine?', { owner_user_id: 'ann', configured_by: 'ann' })).toEqual([true, true]);
      expect(await uses('Mine, edited by Ben?', { owner_user_id: 'ann', configured_by: 'ben' })).toEqual([false, false]);
      expect(await uses('Mine, without?', { owner_user_id: 'ann', configured_by: 'ann', memory: false })).toEqual([false, false]);
      expect(await uses('Of Ben?', { owner_user_id: 'ben', memory: null })).toEqual([false, false]);
      expect(await uses('Of Ben, with?', { owner_user_id: 'ben', memory: true })).toEqual([true, true]);
      expect(await uses('Of an earlier release?', {})).toEqual([false, false]);
    });
  });

  describe('is extended by models', () => {
    it('with entries that name their reply, are shown in it, and can be removed', async () => {
      const { place, message, results } = await remembering('I sing.', ['Sings.', ' ']);
      expect(results).toEqual([expect.stringContaining('was added'), expect.stringMatching(/^error: The argument/)]);
      const [use] = message.content.filter(({ content_type }: { content_type: string }) => content_type === 'tool_use');
      const { conversation_id, message_id } = place;
      const { body } = await call('ann', 'get', `/user/me/memories/${use.body.tool_use_id}`);
      expect(body).toMatchObject({ text: 'Sings.', added_by: 'model', conversation_id, message_id });
      expect((await asked('Do I sing?')).memory[0]).toBe('Sings.');
      expect((await call('ann', 'delete', `/user/me/memories/${use.body.tool_use_id}`)).status).toBe(204);
      expect((await asked('Do I still sing?')).memory).not.toContain('Sings.');
    });
    it('with at most three entries in a reply', async () => {
      const { results } = await remembering('I do much.', ['One.', 'Two.', 'Three.', 'Four.']);
      expect(results.filter((text) => text.startsWith('error: Nothing was added'))).toHaveLength(1);
      expect(await textsOf('ann')).toEqual(expect.arrayContaining(['Works in Lisbon.', 'Has a dog.']));
    });
    it('unless the user turns it off in the meantime', async () => {
      const place = await world.ask('Between?', {}, NO_BOT);
      const first = await model.call('Between?');
      await turn('ann', false);
      first.use('remember', { text: 'Too late.' }).await();
      const second = await model.call('Between?', 1);
      expect(ToolWorld.resultsIn(second)).toEqual(['error: Nothing was added: The user has turned the memory off.']);
      second.end();
      await world.finished(place);
      await turn('ann', true);
    });
    it('unless the user turns it off for the conversation in the meantime', async () => {
      const place = await world.ask('Between, too?', {}, NO_BOT);
      const first = await model.call('Between, too?');
      expect((await call('ann', 'put', `/conversation/${place.conversation_id}/memory`, { enabled: false })).status).toBe(200);
      first.use('remember', { text: 'Too late, too.' }).await();
      const second = await model.call('Between, too?', 1);
      expect(ToolWorld.resultsIn(second)).toEqual(['error: Nothing was added: The user has turned the memory off.']);
      second.end();
      await world.finished(place);
    });
  });

  describe('loses entries', () => {
    it('with the conversation in which a model has added them, and keeps those of the user', async () => {
      const { place } = await remembering('I paint.', ['Paints.']);
      expect(await textsOf('ann')).toContain('Paints.');
      await call('ann', 'delete', `/conversation/${place.conversation_id}`);
      const left = await textsOf('ann');
      expect(left).not.toContain('Paints.');
      expect(left).toContain('Works in Lisbon.');
    });
    it('but not while a hold keeps the data of the user', async () => {
      const ben = newId();
      const id = await add(ben, 'Has a cat.');
      const placing = request(world.address).post('/internal/holds/place').set(world.service.asService('identity'));
      expect((await placing.send({ hold_id: newId(), user_id: ben })).status).toBe(204);
      for (const path of [`/user/me/memories/${id}`, '/user/me/memories'])
        expect(code(await call(ben, 'delete', path))).toEqual([409, 'on_hold']);
      expect(await textsOf(ben)).toEqual(['Has a cat.']);
    });
    it('with the user, who cannot add any afterwards', async () => {
      const eve = newId();
      await add(eve, 'Has a fish.');
      await turn(eve, true);
      const erasing = request(world.address).post('/internal/erasures').set(world.service.asService('identity'));
      expect((await erasing.send({ user_id: eve })).body.removed).toMatchObject({ memories: 1 });
      expect(await textsOf(eve)).toEqual([]);
      expect((await call(eve, 'get', '/user/me/memory')).body.enabled).toBe(false);
      expect((await call(eve, 'post', '/user/me/memories', { text: 'A' })).status).toBe(404);
    });
  });

  describe('that administrators have switched off', () => {
    beforeAll(() => world.allowMemory(false));
    afterAll(() => world.allowMemory(true));

    it('is neither turned on nor extended, and can still be turned off, read and emptied', async () => {
      const gil = newId();
      expect((await call(gil, 'get', '/user/me/memory')).body).toEqual({ enabled: false, allowed: false });
      const refused = [await turn(gil, true), await call(gil, 'post', '/user/me/memories', { text: 'A' })];
      expect(refused.map(code)).toEqual([
        [403, 'memory_disabled'],
        [403, 'memory_disabled'],
      ]);
      expect((await turn(gil, false)).status).toBe(200);
      expect(await textsOf(gil)).toEqual([]);
      expect((await call(gil, 'delete', '/user/me/memories')).status).toBe(204);
    });
  });
});
