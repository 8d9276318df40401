import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { openRetrievers } from '@parlance/retrieval';
import { waitFor } from '@parlance/testing';
import { LONGEST_QUERY } from '../src/projections/retrieval.ts';
import { BotsUnderTest } from './bots-under-test.ts';
import { KnowledgeUnderTest, webSite } from './knowledge-under-test.ts';

const [ann, ben] = [newId(), newId()];

let bots: BotsUnderTest;
let knowledge: KnowledgeUnderTest;

beforeAll(async () => {
  bots = await BotsUnderTest.start();
  knowledge = new KnowledgeUnderTest(bots);
});
afterAll(() => bots.stop());

describe('a bot with a file', () => {
  let id: string;
  beforeAll(async () => {
    id = await knowledge.botWith(ann, {
      'ships.txt': 'The ferry to Bergen leaves at noon.',
      'trains.txt': 'The night train to Malmö has sleeping cars.',
    });
  });

  it('shows a successful run with its numbers', async () => {
    const { body } = await knowledge.run(ann, id);
    expect(body).toMatchObject({
      sync_status: 'SUCCEEDED',
      reason: '',
      because: 'saved',
      step: 'complete',
      sources: { files: { done: 2, failed: 0, total: 2, unchanged: 0 } },
      chunks: 2,
      chunks_in_service: 2,
      next_run_time: null,
    });
    expect(body.steps.map(({ state }: { state: string }) => state)).toEqual(Array(6).fill('done'));
    expect([body.execution_id.length, body.end_time >= body.start_time]).toEqual([26, true]);
  });
  it('shows the ID of its run to administrators', async () => {
    const shared = await bots.create(ann);
    await bots.share(ann, shared.id, 'all');
    const shown = async (shownId: string) => (await bots.get(`/admin/bot/public/${shownId}`, bots.service.as('root', 'Admin'))).body;
    expect((await shown(shared.id)).execution_id).toBeNull();
    await bots.share(ann, id, 'all');
    expect(await shown(id)).toMatchObject({
      execution_id: (await knowledge.run(ann, id)).body.execution_id,
      as_of: { position: expect.any(Number), time: expect.stringMatching(/^2\d{3}-.*Z$/) },
    });
  });
  it('finds the chunk for a question, with its source', async () => {
    const { body } = await knowledge.search(ann, id, 'When does the ferry leave?', { max_results: 1 });
    expect(body).toMatchObject({
      results: [
        {
          content: 'The ferry to Bergen leaves at noon.',
          content_type: 'text',
          source: 'ships.txt',
          rank: 1,
          page_number: null,
        },
      ],
      search_type: 'lexical',
      reranked: false,
    });
    expect(body.timings.total).toBeGreaterThan(0);
  });
  it('shows its sources only to its owner', async () => {
    expect((await bots.get(`/bot/private/${id}`, bots.service.as(ann))).body.knowledge.filenames).toEqual(['ships.txt', 'trains.txt']);
    await bots.share(ann, id, 'all');
    expect((await bots.get(`/bot/${id}`, bots.service.as(ben))).body).toMatchObject({ has_knowledge: true, sync_status: 'SUCCEEDED' });
    expect((await bots.get(`/bot/private/${id}`, bots.service.as(ben))).status).toBe(403);
  });
  it('answers questions of its viewers, who may not search it themselves', async () => {
    expect((await knowledge.search(ben, id, 'ferry')).body.code).toBe('not_editor');
    const { body } = await knowledge.retrieve(ben, id, 'Bergen ferry?');
    expect(body).toMatchObject({ has_knowledge: true, display_retrieved_chunks: true, chunks: [{ source: 'ships.txt', rank: 1 }] });
  });
  it("returns the chunks with the bot's settings for answers, and their version", async () => {
    const generation_params = { max_tokens: 9, top_k: 1, top_p: 0.5, temperature: 0, stop_sequences: ['.'], reasoning_budget_tokens: null };
    const bedrock_guardrails = {
      is_guardrail_enabled: true,
      guardrail_arn: '',
      guardrail_version: '',
      grounding_threshold: 0.5,
      relevance_threshold: 0.25,
    };
    const texts = { instruction: 'Be brief.', guardrail_blocked_text: 'Ask the help desk.' };
    const settings = { generation_params, bedrock_guardrails, prompt_caching_enabled: false };
    const { body: bot } = await knowledge.save(ann, id, { ...texts, ...settings });
    const { body } = await knowledge.retrieve(ben, id, 'ferry');
    expect(body).toMatchObject({ version: bot.version, ...texts, ...settings, chunks: [{ id: expect.stringMatching(/^.{8,}$/) }] });
    const { status } = await knowledge.save(ann, id, { bedrock_guardrails: { is_guardrail_enabled: false }, guardrail_blocked_text: '' });
    expect(status).toBe(200);
  });
  it('searches only for the beginning of a long question', async () => {
    const found = async (query: string) => (await knowledge.retrieve(ann, id, query)).body.chunks.length;
    const filler = 'x'.repeat(LONGEST_QUERY);
    expect([await found(`ferry ${filler}`), await found(`${filler} ferry`)]).toEqual([1, 0]);
  });
  it('does not answer users who may not see it', async () => {
    await bots.share(ann, id, 'private');
    const answers = [await knowledge.retrieve(ben, id, 'ferry'), await knowledge.search(ben, id, 'ferry'), await knowledge.run(ben, id)];
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(answers.map(() => [404, 'bot_not_found']));
  });
  it('does not read unchanged files when it is read again', async () => {
    await knowledge.upload(ann, id, 'ships.txt', 'The ferry to Bergen leaves at six.');
    const { status, body } = await bots.ask('POST', `/bot/${id}/knowledge/sync`, bots.service.as(ann));
    expect([status, body.bot_id]).toEqual([202, id]);
    await waitFor(async () => (await knowledge.settled(ann, id)).because === 'requested', { what: 'the requested run' });
    expect((await knowledge.run(ann, id)).body).toMatchObject({
      because: 'requested',
      sources: { files: { done: 2, unchanged: 1, total: 2 } },
      chunks_in_service: 2,
    });
    expect((await knowledge.search(ann, id, 'ferry')).body.results[0].content).toBe('The ferry to Bergen leaves at six.');
    expect(await knowledge.found(ann, id, 'sleeping')).toEqual(['trains.txt']);
  });
  it('has one index, however often it is read', async () => {
    await waitFor(async () => (await knowledge.indexesOf(id)).length === 1, { what: 'the earlier index to be removed' });
  });
  it('does not find a removed file', async () => {
    const saved = await knowledge.save(ann, id, { knowledge: { deleted_filenames: ['ships.txt'] } });
    expect(saved.body).toMatchObject({ knowledge: { filenames: ['trains.txt'] } });
    await knowledge.settled(ann, id);
    expect(await knowledge.found(ann, id, 'ferry')).toEqual([]);
  });
  it('has no knowledge and no index when its last source is removed', async () => {
    await knowledge.save(ann, id, { knowledge: { filenames: [] } });
    expect((await knowledge.settled(ann, id)).sync_status).toBe('SUCCEEDED');
    expect((await bots.get(`/bot/${id}`, bots.service.as(ann))).body.has_knowledge).toBe(false);
    expect((await knowledge.retrieve(ann, id, 'night train')).body).toMatchObject({ has_knowledge: false, chunks: [] });
    await waitFor(async () => (await knowledge.indexesOf(id)).length === 0, { what: 'the index to be removed' });
    expect((await bots.ask('POST', `/bot/${id}/knowledge/sync`, bots.service.as(ann))).body.code).toBe('no_sources');
  });
});

describe('the search of a bot', () => {
  it('returns results that another Parlance can import', async () => {
    const id = await knowledge.botWith(ann, { 'ships.txt': 'The ferry to Bergen leaves at noon.' });
    const { body } = await knowledge.search(ann, id, 'ferry');
    const site = await webSite((_, response) => response.end(JSON.stringify(body)));
    const account = { bot_id: id, token: 'token', email: null, password: null };
    const aws = { knowledge_base_id: null, region: null, access_key_id: null, secret_access_key: null };
    const other = openRetrievers({ retrievers: { other: { type: 'parlance', url: site.url, ...account, ...aws } } }).get('other')!;
    try {
      const [chunk] = await other.retrieve('ferry', { limit: 5, signal: AbortSignal.timeout(10_000) });
      expect(chunk).toEqual({
        id: body.results[0].id,
        text: 'The ferry to Bergen leaves at noon.',
        source: 'ships.txt',
        source_name: 'ships.txt',
        page_number: null,
        heading: null,
        score: body.results[0].score,
      });
    } finally {
      await other.close();
      await site.stop();
    }
  });
});

describe('a source that cannot be read', () => {
  it('fails the run, whose reason names the source and what to do, and leaves the earlier index in service', async () => {
    const id = await knowledge.botWith(ann, { 'ships.txt': 'The ferry to Bergen leaves at noon.' });
    await knowledge.upload(ann, id, 'virus.exe', Buffer.concat([Buffer.from('MZ'), Buffer.alloc(600, 1)]));
    await knowledge.save(ann, id, { knowledge: { filenames: ['missing.txt', 'virus.exe'] } });
    const run = await knowledge.settled(ann, id);
    expect(run).toMatchObject({ sync_status: 'FAILED', sources: { files: { failed: 2, total: 2 } }, chunks_in_service: 1 });
    expect([run.step, run.steps.map(({ state }: { state: string }) => state)]).toEqual([
      'parse',
      ['done', 'done', 'failed', 'waiting', 'waiting', 'waiting'],
    ]);
    expect(run.reason).toContain('2 of 2 sources could not be read.');
    expect(run.reason).toContain('missing.txt: The file was not uploaded.');
    expect(run.reason).toMatch(/virus\.exe: .+\./);
    expect(run.cause).toEqual({
      code: 'sources_failed',
      failed: 2,
      total: 2,
      sources: [
        { source: 'missing.txt', code: 'not_uploaded', reason: expect.stringMatching(/^The file was not uploaded/) },
        { source: 'virus.exe', code: 'type_unknown', reason: expect.any(String) },
      ],
    });
    expect((await bots.get(`/bot/${id}`, bots.service.as(ann))).body).toMatchObject({
      sync_status: 'FAILED',
      sync_status_reason: run.reason,
      has_knowledge: true,
    });
    expect(await knowledge.found(ann, id, 'ferry')).toEqual(['ships.txt']);
  });
  it('is read when it exists and the bot is saved again', async () => {
    const id = newId();
    await bots.create(ann, { id, knowledge: { filenames: ['late.txt'] } });
    expect(await knowledge.settled(ann, id)).toMatchObject({ sync_status: 'FAILED', step: 'download' });
    await knowledge.upload(ann, id, 'late.txt', 'Trams run all night.');
    await knowledge.save(ann, id, { knowledge: { filenames: ['late.txt'] } });
    expect((await knowledge.settled(ann, id)).sync_status).toBe('SUCCEEDED');
    expect(await knowledge.found(ann, id, 'trams')).toEqual(['late.txt']);
  });
  it('is not named to viewers', async () => {
    const id = newId();
    await bots.create(ann, { id, knowledge: { filenames: ['secret-name.txt'] } });
    await knowledge.settled(ann, id);
    await bots.share(ann, id, 'all');
    const seen = await bots.get(`/bot/${id}`, bots.service.as(ben));
    expect([seen.body.sync_status, seen.body.sync_status_reason]).toEqual(['FAILED', '']);
  });
});

describe('many uploads at the same time', () => {
  it('each get an address', async () => {
    const id = newId();
    const address = (number: number) =>
      bots.get(`/bot/${id}/presigned-url?filename=${number}.txt&content_type=text/plain`, bots.creator(ann));
    const answers = await Promise.all(Array.from({ length: 64 }, (_, number) => address(number)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });
});
