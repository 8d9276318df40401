import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { DOCUMENT_PATH } from '@parlance/openapi';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { firstApi, message, otherApi, type Place, PublishedWorld } from './published-world.ts';

const CHUNK = { content: 'Tables are for eating.', source_id: 'doc' };
const FILE = { content_type: 'attachment', file_name: 'a.txt', body: Buffer.from('hello').toString('base64') };

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
/** Valid bodies, so that only the owner decides. */
const BODIES: Readonly<Record<string, object>> = {
  'PATCH /conversation/{conversationId}/title': { title: 'Mine' },
  'POST /conversation/{conversationId}/shares': { audience: 'signed_in' },
  'PUT /conversation/{conversationId}/project': { project_id: newId() },
  'PUT /conversation/{conversationId}/pinned': { pinned: true },
  'PUT /conversation/{conversationId}/memory': { enabled: false },
  'PUT /conversation/{conversationId}/{messageId}/feedback': { thumbs_up: true },
  'POST /conversation/{conversationId}/{messageId}/tool-calls/{callId}': { approve: true },
};

describe('the conversations of a published API', () => {
  const world = new PublishedWorld();
  /** Includes the message of the user, which has a file. */
  let ofApi: Place & { readonly question: string };
  let own: typeof ofApi;
  let routes: readonly { readonly route: string; readonly method: Method; readonly path: string }[];
  const filled = (path: string, { conversation_id, message_id, question }: typeof ofApi, its = firstApi) =>
    path
      .replace('{apiId}', its.apiId)
      .replace('{stage}', 'api')
      .replace('{conversationId}', conversation_id)
      .replace('{messageId}/files', `${question}/files`)
      .replace('{messageId}', message_id)
      .replace('{requestId}', message_id)
      .replace('{fileId}', `${question}.0`)
      .replace('{sourceId}', 'doc')
      .replace('{shareId}', newId())
      .replace('{callId}', newId());
  const answerOf = async (headers: object, { route, method, path }: (typeof routes)[number], place: typeof ofApi) => {
    const requests = request(world.service.server);
    const call = requests[method](filled(path, place)).set(headers as Record<string, string>);
    const body = BODIES[route];
    const { status, body: answered } = await (body ? call.send(body) : call);
    return [route, status, answered.code ?? 'no code'];
  };
  const notFound = (each: unknown[]) => each[1] === 404 && String(each[2]).endsWith('_not_found');

  beforeAll(async () => {
    await world.open();
    world.bots.chunks = [CHUNK];
    const asking = { message: { content: [...message('What are tables for?').content, FILE] } };
    const sent = await world.post('What are tables for?', asking);
    ofApi = { ...sent, question: (await world.finished(sent)).message.parent };
    const { body: place } = await world.own('post', '/conversation', { ...asking, bot_id: firstApi.botId });
    const read = () => world.own('get', `/conversation/${place.conversation_id}/${place.message_id}`);
    await waitFor(async () => (await read()).status === 200, { what: 'the reply' });
    own = { ...place, question: (await read()).body.message.parent };
    const { body } = await request(world.service.server).get(DOCUMENT_PATH).set(world.service.asService('edge'));
    routes = Object.entries(body.paths as Record<string, object>).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => ({ route: `${method.toUpperCase()} ${path}`, method: method as Method, path })),
    );
  });
  afterAll(() => world.service.stop());

  it('are not found by their owner, on any route', async () => {
    const ofUsers = routes.filter(({ path }) => path.startsWith('/conversation/{'));
    expect(ofUsers.length).toBeGreaterThan(10);
    for (const route of ofUsers.filter(({ method }) => method === 'get'))
      expect(await answerOf(world.service.as('ann'), route, own)).toEqual([route.route, 200, 'no code']);
    const answers = [];
    for (const route of ofUsers) answers.push(await answerOf(world.service.as('ann'), route, ofApi));
    expect(answers.filter((each) => !notFound(each))).toEqual([]);
  });

  it('are not found by another API, and an API does not find its owner’s own conversations, on any route', async () => {
    const ofApis = routes.filter(({ path }) => path.startsWith('/published/') && /\{(conversationId|requestId)\}/.test(path));
    expect(ofApis.length).toBeGreaterThan(4);
    for (const route of ofApis.filter(({ method, path }) => method === 'get' && !path.includes('/result/')))
      expect(await answerOf(world.service.asApi('ann', firstApi), route, ofApi)).toEqual([route.route, 200, 'no code']);
    const answers = [];
    for (const route of ofApis) {
      answers.push(await answerOf(world.service.asApi('ann', otherApi), route, ofApi));
      answers.push(await answerOf(world.service.asApi('ann', firstApi), route, own));
      // The same API, stated for another owner.
      answers.push(await answerOf(world.service.asApi('bob', firstApi), route, ofApi));
    }
    expect(answers.filter((each) => !notFound(each))).toEqual([]);
  });

  it('accept no messages of others', async () => {
    const to = (conversation_id: string) => ({ conversation_id, message: message('Hello?') });
    const answers = [
      await world.call('post', '/conversation', to(ofApi.conversation_id), {}, otherApi),
      await world.call('post', '/conversation', to(own.conversation_id)),
      await world.own('post', '/conversation', to(ofApi.conversation_id)),
      await world.own('post', '/conversation', { conversation_id: ofApi.conversation_id, message: { content: [] } }),
      await world.call('post', '/conversation', { conversation_id: own.conversation_id, message: { content: [] } }),
    ];
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [404, 'conversation_not_found'],
      [404, 'conversation_not_found'],
      [409, 'conversation_id_taken'],
      [404, 'conversation_not_found'],
      [404, 'conversation_not_found'],
    ]);
  });

  it('are in no list, search or deletion of their owner’s own conversations', async () => {
    const ids = async (path: string, name: string) =>
      ((await world.own('get', path)).body[name] as Place[]).map(({ conversation_id }) => conversation_id);
    expect(await ids('/conversations', 'conversations')).toEqual([own.conversation_id]);
    expect(await ids('/conversations/search?query=tables', 'results')).toEqual([own.conversation_id]);
    const { body } = await world.own('delete', '/conversations');
    expect([body.removed.conversations, body.is_complete]).toEqual([1, true]);
    expect((await world.call('get', `/conversation/${ofApi.conversation_id}`)).status).toBe(200);
  });

  it('are only for programs: users have no access, and programs can access nothing else', async () => {
    const wrong = [];
    for (const route of routes) {
      const isForApis = route.path.startsWith('/published/');
      const headers = isForApis ? world.service.as('ann', 'Admin') : world.service.asApi('ann', firstApi);
      const answer = await answerOf(headers, route, ofApi);
      const isOpen = ['/auth', '/shared/'].some((open) => route.path.startsWith(open)) || route.path.includes('callback');
      if (!isOpen && answer[1] !== (isForApis ? 403 : 401)) wrong.push(answer);
    }
    expect(wrong).toEqual([]);
  });

  it('are deleted when their publication is removed, and no others', async () => {
    const erased = { bot_id: firstApi.botId, owner_user_id: 'ann', because: 'owner_erased', api_key_ids: [] };
    const ofErased = { ...erased, deployment_id: firstApi.apiId.toUpperCase() };
    // The erasure of the owner removes and counts these conversations. The next event is on the same stream, so this one is handled before it.
    await world.service.hear('parlance.publication.publication-removed.v1', `publication-${otherApi.botId}`, ofErased);
    const others = await world.say('And chairs?', {}, otherApi);
    const removed = { bot_id: otherApi.botId, owner_user_id: 'ann', because: 'requested', api_key_ids: [] };
    const deployment_id = otherApi.apiId.toUpperCase();
    await world.service.hear('parlance.publication.publication-removed.v1', `publication-${otherApi.botId}`, { ...removed, deployment_id });
    const statusOf = async (place: Place, api: typeof firstApi) =>
      (await world.call('get', `/conversation/${place.conversation_id}`, undefined, {}, api)).status;
    await waitFor(async () => (await statusOf(others, otherApi)) === 404, { what: 'the conversation to go' });
    expect(await statusOf(ofApi, firstApi)).toBe(200);
    const deletion = () =>
      world.published.find(
        ({ type, data }) => type.endsWith('conversation-deleted.v1') && (data as Place).conversation_id === others.conversation_id,
      );
    await waitFor(() => deletion() !== undefined, { what: 'the event' });
    expect(deletion()!.data).toMatchObject({ api_id: otherApi.apiId, because: 'deleted', messages: 2 });
  });

  it('are deleted at once if they were started by a request that was running while their publication was removed', async () => {
    const left = () => request(world.service.server).get('/admin/users/ann/conversations').set(world.service.as('root', 'Admin'));
    const before = (await left()).body.conversations;
    const late = await world.call('post', '/conversation', { message: message('Too late?') }, {}, otherApi);
    expect([late.status, late.body.code]).toEqual([404, 'not_published']);
    expect((await left()).body.conversations).toEqual(before);
  });

  it('are erased with their owner, and counted in the receipt', async () => {
    await world.keys.erase('ann');
    const erasing = await request(world.service.server)
      .post('/internal/erasures')
      .set(world.service.asService('identity'))
      .send({ user_id: 'ann' });
    expect(erasing.body.removed).toEqual({ conversations: 1, messages: 2, files: 1 });
    expect((await world.call('get', `/conversation/${ofApi.conversation_id}`)).status).toBe(404);
    const more = await world.call('post', '/conversation', { message: message('x') });
    expect([more.status, more.body.code]).toEqual([404, 'not_published']);
  });
});
