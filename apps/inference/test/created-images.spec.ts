import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { QueryBus } from '@nestjs/cqrs';
import { CallCompleted } from '@parlance/contracts';
import { Instant, refuse } from '@parlance/decider';
import request from 'supertest';
import { MessageFiles } from '../src/adapters/files/message-files.ts';
import { CHARGED_WITHOUT_IMAGE } from '../src/adapters/tools/create-image.ts';
import { MAX_IMAGE_SIDE } from '../src/domain/file-limits.ts';
import { FilesUntil } from '../src/projections/message-files.ts';
import { json, MockProvider } from './calls/mock-provider.ts';
import { png } from './files.ts';
import { type Place, ToolWorld } from './tool-world.ts';

const from = '2026-01-01T00:00:00Z';
const usage = { input_tokens: 10, output_tokens: 2_000, total_tokens: 2_010 };
const COST = 10 * 1_000 + 2_000 * 2_000;
const picture = png(20, 10, 'a cat');

describe('images that a reply makes with the tool create_image', () => {
  const world = new ToolWorld();
  let provider: MockProvider;

  beforeAll(async () => {
    provider = await MockProvider.open();
    const models = {
      extends: 'builtin',
      providers: { here: { type: 'local' }, ours: { type: 'openai_compatible', base_url: provider.url } },
      models: [
        { id: 'chats', provider: 'here', model: 'x' },
        {
          id: 'painter',
          provider: 'ours',
          model: 'painter-upstream',
          capabilities: ['image_generation'],
          prices: [{ from, input: 1, output: 2 }],
        },
      ],
      defaults: { chat: 'chats' },
    };
    await world.open({ PARLANCE_MODELS: JSON.stringify(models) });
    world.bots.settings = { tools: [{ name: 'create_image', approval: 'writes' }] };
  });
  afterAll(async () => {
    await world.service.stop();
    await provider.close();
    jest.restoreAllMocks();
  });
  beforeEach(() => {
    provider.requests.length = 0;
    provider.respond = (res) => json(res, 200, { created: 1, data: [{ b64_json: picture.toString('base64') }], usage });
  });

  const drawn = async (question: string, calls = 1) => {
    const place = await world.ask(question);
    const call = await world.model.call(question);
    for (let n = 0; n < calls; n++) call.use('create_image', { prompt: `A cat, ${n}.` });
    call.await();
    const answer = await world.model.call(question, 1);
    const results = ToolWorld.resultsIn(answer);
    answer.say('Here it is.').end();
    return { place, results, message: (await world.finished(place)).message };
  };
  const download = (place: Place, fileId: string, userId = 'ann') =>
    request(world.address)
      .get(`${world.pathOf(place)}/files/${fileId}`)
      .set(world.service.as(userId))
      .buffer(true)
      .parse((res, done) => {
        const parts: Buffer[] = [];
        res.on('data', (part: Buffer) => parts.push(part)).on('end', () => done(null, Buffer.concat(parts)));
      });
  const callsOf = async () => (await world.service.published<CallCompleted>()).filter(({ type }) => type === CallCompleted.type);

  it('are shown below it, to its user alone, and charged as a call of the model', async () => {
    const { place, results, message } = await drawn('Draw a cat.');
    expect(results).toEqual(['The image was made. The user sees it below the reply.']);
    const shown = message.content.at(-1);
    expect(shown).toEqual({
      content_type: 'image',
      file_id: expect.stringContaining(place.message_id),
      media_type: 'image/png',
      size: picture.length,
      sha256: expect.any(String),
    });
    const got = await download(place, shown.file_id);
    expect([got.status, (got.body as Buffer).equals(picture)]).toEqual([200, true]);
    expect((await download(place, shown.file_id, 'bea')).status).toBe(404);
    expect(JSON.parse(provider.requests[0]!.body)).toEqual({
      model: 'painter-upstream',
      prompt: 'A cat, 0.',
      n: 1,
      response_format: 'b64_json',
    });
    expect((await callsOf()).map(({ data }) => [data.endpoint, data.user_id, data.cost_nano_dollars])).toEqual([
      ['images/generations', 'ann', COST],
    ]);
  });
  it('are several, if the model asks for several', async () => {
    const { place, message } = await drawn('Draw two cats.', 2);
    const ids = message.content.flatMap((part: { file_id?: string }) => part.file_id ?? []);
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect((await download(place, id)).status).toBe(200);
    const kept = await world.service
      .part(QueryBus)
      .execute(new FilesUntil({ of: 'list', list: 'ann' }, Instant.ofMillis(Date.now()), 10, null));
    // Retention rules find them by their reply.
    expect(kept.rows.find(({ message_id }) => message_id === place.message_id)).toMatchObject({ files: 2 });
  });
  it('are not in the next prompt, whose models accept files only of users', async () => {
    const { place } = await drawn('Draw a dog.');
    const next = await world.ask('Thanks.', {}, { conversation_id: place.conversation_id });
    const call = await world.model.call('Thanks.');
    expect(call.prompt.turns.some(({ files = [] }) => files.length > 0)).toBe(false);
    call.say('You are welcome.').end();
    await world.finished(next);
  });
  it.each<[string, number, object, string]>([
    ['a provider that refuses', 400, { error: { message: 'Not allowed.', code: 'moderation' } }, 'No image was made: Not allowed.'],
    ['an answer that is no image', 200, { data: [{ b64_json: 'AAAA' }] }, CHARGED_WITHOUT_IMAGE],
    ['an answer with an address', 200, { data: [{ url: 'https://images.example.org/1' }] }, CHARGED_WITHOUT_IMAGE],
    ['an image that is too large', 200, { data: [{ b64_json: 'A'.repeat(7 * 1024 * 1024) }] }, CHARGED_WITHOUT_IMAGE],
    ['an image that is too wide', 200, { data: [{ b64_json: png(MAX_IMAGE_SIDE + 1, 1).toString('base64') }] }, CHARGED_WITHOUT_IMAGE],
  ])('are replaced by the reason after %s', async (what, status, body, result) => {
    provider.respond = (res) => json(res, status, body);
    const { results, message } = await drawn(`Draw ${what}.`);
    expect(results).toEqual([`error: ${result}`]);
    expect(message.content.map(({ content_type }: { content_type: string }) => content_type)).not.toContain('image');
  });
  it('are asked for in another way if the provider does not know the field', async () => {
    const { respond } = provider;
    provider.respond = (res, asked) =>
      asked.body.includes('response_format')
        ? json(res, 400, { error: { message: "Unknown parameter: 'response_format'." } })
        : respond(res, asked);
    const { message } = await drawn('Draw a fox.');
    expect(message.content.at(-1).content_type).toBe('image');
    expect(provider.requests.map(({ body }) => 'response_format' in JSON.parse(body))).toEqual([true, false]);
  });
  it('are asked for once if the answer with the image names the field', async () => {
    const answer = { created: 1, data: [{ b64_json: picture.toString('base64') }], usage, response_format: 'b64_json' };
    provider.respond = (res) => json(res, 200, answer);
    const { message } = await drawn('Draw a hen.');
    expect(message.content.at(-1).content_type).toBe('image');
    expect(provider.requests.length).toBe(1);
  });
  it('are at most four in a reply', async () => {
    const { results } = await drawn('Draw five horses.', 5);
    expect(results.map((result) => result.startsWith('error: '))).toEqual([false, false, false, false, true]);
    expect(provider.requests.length).toBe(4);
  });
  it('are not made, and cost nothing, while the object store is unavailable', async () => {
    const before = (await callsOf()).length;
    const away = refuse('unavailable', 'object_store_unavailable', 'The object store is unavailable. Try again later.');
    const check = jest.spyOn(MessageFiles.prototype, 'requireAvailable').mockRejectedValueOnce(away);
    const { results } = await drawn('Draw a bear.');
    check.mockRestore();
    expect(results).toEqual([expect.stringMatching(/^error: No image was made.*unavailable/)]);
    expect([provider.requests.length, (await callsOf()).length]).toEqual([0, before]);
  });
  it('are not made twice if the process is killed while the provider draws', async () => {
    const question = 'Draw a whale.';
    const asked = Promise.withResolvers<void>();
    provider.respond = () => asked.resolve();
    const place = await world.ask(question);
    (await world.model.call(question)).use('create_image', { prompt: 'A whale.' }).await();
    await asked.promise;
    await world.kill(place);
    const answer = await world.model.call(question, 1);
    expect(ToolWorld.resultsIn(answer)).toEqual([
      'error: The call was started and then interrupted. It is unknown whether it took effect. It was not repeated.',
    ]);
    answer.say('I do not know.').end();
    await world.finished(place);
    expect(provider.requests.length).toBe(1);
  });
  it('are removed with the conversation', async () => {
    const { place } = await drawn('Draw a fish.');
    const stored = async () =>
      (await (await world.service.host.objects.store()).list(`message-files/${place.conversation_id}/`, { limit: 10 })).length;
    expect(await stored()).toBe(1);
    await request(world.address).delete(`/conversation/${place.conversation_id}`).set(world.service.as('ann'));
    expect(await stored()).toBe(0);
  });
});
