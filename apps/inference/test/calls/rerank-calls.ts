import { beforeEach, describe, expect, it } from '@jest/globals';
import { type CallsWorld, errorOf } from './calls-world.ts';
import { json } from './mock-provider.ts';

const results = [{ index: 1, relevance_score: 0.9 }];
const request = { model: 'ranker', query: 'What is the capital?', documents: ['Paris.', 'Berlin.'], top_n: 1, return_documents: false };

export function rerankCalls(start: () => CallsWorld): void {
  describe('a call that orders documents', () => {
    let world: CallsWorld;
    beforeEach(() => {
      world = start();
      world.provider.requests.length = 0;
    });

    const rerank = (headers: Record<string, string>, body: object = request) => world.ask('/v1/rerank', headers, body);

    it.each([
      ['Jina and vLLM', { usage: { total_tokens: 12 } }],
      ['Cohere, as billed', { meta: { billed_units: { input_tokens: 12, search_units: 1 }, tokens: { input_tokens: 99 } } }],
      ['Cohere, as read', { meta: { billed_units: { search_units: 1 }, tokens: { input_tokens: 12 } } }],
    ])('reaches the provider as it is, and is charged by the tokens in the report of %s', async (_, report) => {
      const who = world.caller();
      world.provider.respond = (res) => json(res, 200, { id: 'r', results, ...report });
      const { status, text, headers } = await rerank(who.headers);
      expect([status, JSON.parse(text), headers['x-parlance-cost']]).toEqual([200, { id: 'r', results, ...report }, '0.000012']);
      const [sent] = world.provider.requests;
      expect([sent?.path, JSON.parse(sent!.body)]).toEqual(['/v1/rerank', { ...request, model: 'ranker-upstream' }]);
      expect(await world.recordOf(who)).toMatchObject([
        {
          endpoint: 'rerank',
          status: 'completed',
          usage: { input_tokens: 12, output_tokens: 0, estimated: false },
          cost_nano_dollars: 12_000,
        },
      ]);
    });
    it('is counted with the query for each document if only searches are reported', async () => {
      const who = world.caller();
      const documents = Array.from({ length: 500 }, () => 'a');
      const query = 'one two three four five six seven eight nine ten '.repeat(20);
      world.provider.respond = (res) => json(res, 200, { results, meta: { billed_units: { search_units: 5 } } });
      await rerank(who.headers, { ...request, query, documents });
      const [record] = await world.recordOf(who);
      expect(record).toMatchObject({ status: 'completed', usage: { output_tokens: 0, estimated: true } });
      // More than the window of the model: each pair has it.
      expect(record?.usage.input_tokens).toBeGreaterThan(500 * 200);
    });
    it('is not suspicious because a long query is read with many documents', async () => {
      const who = world.caller();
      const documents = Array.from({ length: 500 }, () => 'a');
      const query = 'one two three four five six seven eight nine ten '.repeat(20);
      world.provider.respond = (res) => json(res, 200, { results, usage: { total_tokens: 150_000 } });
      await rerank(who.headers, { ...request, query, documents });
      expect((await world.recordOf(who))[0]?.usage).toMatchObject({ input_tokens: 150_000, estimated: false });
      expect((await world.recordOf(who))[0]?.usage).not.toHaveProperty('suspicious');
    });
    it.each([
      ['/v1/rerank', 'gpt'],
      ['/v1/rerank', 'vectors'],
      ['/v1/rerank', 'claude'],
      ['/v1/rerank', 'local-extractive'],
      ['/v1/moderations', 'ranker'],
      ['/v1/chat/completions', 'ranker'],
      ['/v1/responses', 'judge'],
      ['/v1/embeddings', 'ranker'],
    ])('and others are refused for a model of another kind (%s, %s)', async (path, model) => {
      expect(errorOf(await world.ask(path, world.caller().headers, { ...request, model }))).toEqual([400, 'unsupported_parameter']);
      expect(world.provider.requests).toEqual([]);
    });
    it('is limited by the tokens of its token', async () => {
      const { headers } = world.caller({ tokens_per_minute: 350 });
      const documents = Array.from({ length: 20 }, () => 'a');
      expect(errorOf(await rerank(headers, { ...request, documents }))).toEqual([429, 'rate_limit_exceeded']);
    });
  });

  describe('a call that classifies texts', () => {
    it('reaches the provider as it is, and is counted, because no provider reports its usage', async () => {
      const world = start();
      world.provider.requests.length = 0;
      const who = world.caller();
      const answer = { id: 'modr-1', results: [{ flagged: false, categories: { violence: false } }] };
      world.provider.respond = (res) => json(res, 200, answer);
      const body = { model: 'judge', input: ['one two three', 'four'], stream: true };
      const { status, text } = await world.ask('/v1/moderations', who.headers, body);
      expect([status, JSON.parse(text)]).toEqual([200, answer]);
      expect([world.provider.requests[0]?.path, JSON.parse(world.provider.requests[0]!.body)]).toEqual([
        '/v1/moderations',
        { ...body, model: 'judge-upstream' },
      ]);
      const [record] = await world.recordOf(who);
      expect(record).toMatchObject({ endpoint: 'moderations', status: 'completed', usage: { output_tokens: 0, estimated: true } });
      expect(record?.usage.input_tokens).toBeGreaterThan(4);
    });
  });
}
