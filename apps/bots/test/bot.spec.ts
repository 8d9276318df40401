import { isDeepStrictEqual } from 'node:util';
import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { QueryBus } from '@nestjs/cqrs';
import { newId } from '@parlance/event-store';
import { serviceUnderTest } from '@parlance/foundation/harness';
import { ReadModelBuilding } from '@parlance/read-models';
import { freePort, waitFor } from '@parlance/testing';
import request from 'supertest';
import { bots as botsService } from '../src/service.ts';
import { BotsUnderTest } from './bots-under-test.ts';

const bots = await BotsUnderTest.start();
afterAll(() => bots.stop());

const ann = () => bots.creator('ann');
const ben = () => bots.creator('ben');
const post = (headers: Record<string, string> | ReturnType<typeof ann>, body: object) => bots.ask('POST', '/bot', headers, body);

describe('creating a bot', () => {
  it('returns the bot with its defaults and its ETag', async () => {
    const { status, body, headers } = await post(ann(), { title: 'Guide' });
    expect([status, headers['etag']]).toEqual([201, '"1"']);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9A-Z]{26}$/),
      owner_user_id: 'ann',
      title: 'Guide',
      description: '',
      instruction: '',
      guardrail_blocked_text: '',
      shared_scope: 'private',
      status: 'unshared',
      sync_status: 'SUCCEEDED',
      sync_status_reason: '',
      is_publication: false,
      is_starred: false,
      create_time: expect.any(Number),
      last_used_time: null,
      version: 1,
      owned: true,
      editable: true,
      has_knowledge: false,
      conversation_quick_starters: [],
      active_models: [],
      default_model: null,
      display_retrieved_chunks: true,
      bedrock_knowledge_base: {
        type: 'shared',
        exist_knowledge_base_id: null,
        chunking_configuration: {
          chunking_strategy: 'fixed_size',
          fixed_size_chunking_configuration: { max_tokens: 300, overlap_percentage: 20 },
        },
        parsing_model: null,
        search_params: { max_results: 5, search_type: 'hybrid' },
        web_crawling_scope: 'single_page',
        web_crawling_filters: { include_patterns: [], exclude_patterns: [] },
        web_crawling_limits: { max_depth: 3, max_pages: 200 },
        on_source_error: 'fail',
      },
      bedrock_guardrails: {
        is_guardrail_enabled: false,
        guardrail_arn: '',
        guardrail_version: '',
        grounding_threshold: 0,
        relevance_threshold: 0,
      },
      generation_params: {
        max_tokens: null,
        top_k: null,
        top_p: null,
        temperature: null,
        stop_sequences: [],
        reasoning_budget_tokens: null,
      },
      prompt_caching_enabled: true,
      sync_schedule: null,
      memory: null,
      icon: null,
      colour: null,
      picture: null,
      tools: [],
      knowledge: { source_urls: [], sitemap_urls: [], s3_urls: [], filenames: [] },
      allowed_user_ids: [],
      allowed_group_ids: [],
      editor_user_ids: [],
      editor_group_ids: [],
    });
  });
  it("accepts the client's ID, even when the request is repeated", async () => {
    const id = newId();
    const first = await post(ann(), { id, title: 'Mine' });
    const second = await post(ann(), { id, title: 'Mine' });
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toEqual(first.body);
    expect(first.body.id).toBe(id);
  });
  it('refuses the ID of a bot of another user, and does not change that bot', async () => {
    const { id } = await bots.create('ann', { title: 'Mine' });
    expect((await post(ben(), { id, title: 'Theirs' })).body).toMatchObject({ status: 409, code: 'bot_id_taken' });
    expect((await bots.get(`/bot/${id}`, ann())).body.title).toBe('Mine');
  });
  it('refuses the ID of a deleted bot, even for its owner', async () => {
    const { id } = await bots.create('ann');
    await bots.ask('DELETE', `/bot/${id}`, ann());
    for (const user of [ann(), ben()])
      expect((await post(user, { id, title: 'Again' })).body).toMatchObject({ status: 409, code: 'bot_id_taken' });
  });
  it('returns the bot even to a repeated request that overtakes the first one', async () => {
    const ids = Array.from({ length: 20 }, () => newId());
    const answers = await Promise.all(ids.flatMap((id) => [post(ann(), { id, title: 'Twice' }), post(ann(), { id, title: 'Twice' })]));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 40 }, () => 201));
  });
  it('gives an ID that two users request at once to one of them', async () => {
    const id = newId();
    const answers = await Promise.all([post(ann(), { id, title: 'x' }), post(ben(), { id, title: 'x' })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  });
  it('requires the right to create bots, which an Admin has', async () => {
    expect((await post(bots.service.as('cat'), { title: 'x' })).body).toMatchObject({ status: 403, code: 'group_required' });
    expect((await post(bots.service.as('dan', 'Admin'), { title: 'x' })).status).toBe(201);
  });
  it("is refused without the edge's statement about the caller", async () => {
    expect((await post({}, { title: 'x' })).status).toBe(401);
  });
  it('records a refusal before the answer is sent', async () => {
    const kept: unknown[] = [];
    const listening = await bots.service.host.broker.subscribe({
      group: 'listener',
      topics: ['parlance.bots'],
      handle: async (deliveries) => {
        for (const { event } of deliveries) if (event.type.endsWith('action-refused.v1')) kept.push([event.actor, event.data]);
      },
    });
    await post(bots.service.as('eve'), { title: 'x' });
    const message = 'This needs the group CreatingBotAllowed.';
    const refused = { action: 'create_bot', resource_type: 'bot', resource_id: null, code: 'group_required', message };
    await waitFor(() => kept.some((each) => isDeepStrictEqual(each, ['eve', refused])), { what: 'the refusal' });
    await listening.stop();
  });
});

describe('reading a bot', () => {
  it('returns the summary, the bot and the private bot, each with more fields and all with the same ETag', async () => {
    const created = await bots.create('ann', { instruction: 'Be brief.', description: 'Knows the way' });
    const [summary, bot, privateBot] = await Promise.all(
      ['/bot/summary', '/bot', '/bot/private'].map((path) => bots.get(`${path}/${created.id}`, ann())),
    );
    expect(privateBot!.body).toEqual(created);
    const { instruction, knowledge: _, guardrail_blocked_text: __, ...withoutKnowledge } = privateBot!.body;
    expect(instruction).toBe('Be brief.');
    expect(bot!.body).toEqual(withoutKnowledge);
    expect(bot!.body).toMatchObject(summary!.body);
    expect(Object.keys(summary!.body).filter((name) => /generation|guardrail|tools|allowed|editor_/.test(name))).toEqual([]);
    for (const answer of [summary, bot, privateBot]) expect(answer!.headers['etag']).toBe('"1"');
  });
  it('refuses a malformed id with 400', async () => {
    expect((await bots.get('/bot/guide', ann())).body).toMatchObject({ status: 400, code: 'invalid_id' });
  });
  it('reports to other services whether a user may use the bot', async () => {
    const models = { active_models: ['small', 'large'], default_model: 'large' };
    const { id } = await bots.create('ann', models);
    const seen = async (user: string) => (await bots.get(`/internal/bots/${id}/seen`, bots.onBehalfOf(user))).body;
    expect(await seen('ann')).toEqual({ id, owner_user_id: 'ann', has_knowledge: false, ...models });
    expect(await seen('ben')).toMatchObject({ status: 404, code: 'bot_not_found' });
    const withPrompt = await bots.get(`/internal/bots/${id}/seen?prompt=true`, bots.onBehalfOf('ann'));
    const retrieved = await bots.ask('POST', `/internal/bots/${id}/retrieve`, bots.onBehalfOf('ann'), { query: 'fees' });
    expect(withPrompt.body.prompt).toEqual(retrieved.body);
    const named = await bots.get(`/internal/bots/${id}/seen?texts=true`, bots.onBehalfOf('ann'));
    expect(named.body.texts).toEqual({ title: 'Guide', description: expect.any(String) });
    // For users, the route does not exist.
    expect((await bots.get(`/internal/bots/${id}/seen`, ann())).body).toMatchObject({ status: 404, code: 'no_such_route' });
    const titles = await bots.ask('POST', '/internal/bots/titles', bots.service.asService('analytics'), { bot_ids: [id, newId()] });
    expect(titles.body).toEqual({ titles: { [id]: 'Guide' } });
  });
});

describe('deleting a bot', () => {
  it('hides it at once, and may be repeated by its owner', async () => {
    const { id } = await bots.create('ann');
    const remove = () => bots.ask('DELETE', `/bot/${id}`, ann());
    expect([(await remove()).status, (await bots.get(`/bot/${id}`, ann())).status, (await remove()).status]).toEqual([204, 404, 204]);
  });
  it('does not wait for rows, and keeps the last title', async () => {
    const { id } = await bots.create('ann', { title: 'Guide' });
    await bots.ask('PATCH', `/bot/${id}`, ann(), { title: 'New guide' });
    await bots.ask('PATCH', `/bot/${id}`, ann(), { description: 'For guests' });
    const queries = jest.spyOn(bots.app.get(QueryBus), 'execute').mockRejectedValue(new ReadModelBuilding('bots@v9', 0.5));
    try {
      expect((await bots.ask('DELETE', `/bot/${id}`, ann())).status).toBe(204);
    } finally {
      queries.mockRestore();
    }
    const { body } = await bots.ask('POST', '/internal/bots/titles', bots.service.asService('analytics'), { bot_ids: [id] });
    expect(body).toEqual({ titles: { [id]: 'New guide' } });
  });
  it('needs the version that the client has seen, if the client names one', async () => {
    const { id, version } = await bots.create('ann');
    const remove = (etag: string) => bots.ask('DELETE', `/bot/${id}`, { ...ann(), 'if-match': etag });
    expect((await remove('"9"')).body).toMatchObject({ status: 412, code: 'version_stale' });
    expect((await remove(`"${version}"`)).status).toBe(204);
  });
});

describe('commands and queries of bots', () => {
  it('are measured by name and outcome', async () => {
    const measured = await serviceUnderTest(botsService, { PARLANCE_METRICS_PORT: String(await freePort()) });
    await request(measured.server).post('/bot').set(measured.as('ann', 'CreatingBotAllowed')).send({ title: 'Guide' });
    await request(measured.server).delete('/bot/01K0000000000000000000000Z').set(measured.as('ann'));
    const text = await (await fetch(`http://127.0.0.1:${measured.host.metrics.port}/metrics`)).text();
    await measured.stop();
    const counted = [
      'kind="command",name="ExecuteBot",outcome="done"',
      'kind="command",name="ExecuteBot",outcome="refused"',
      'kind="query",name="WholeBot",outcome="done"',
    ].filter((labels) => text.includes(`parlance_handling_duration_seconds_count{service="bots",${labels}} 1`));
    expect(counted).toHaveLength(3);
  });
});
