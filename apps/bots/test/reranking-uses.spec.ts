import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { BotsUnderTest } from './bots-under-test.ts';
import { KnowledgeUnderTest } from './knowledge-under-test.ts';

const USED = 'parlance.bots.reranking-used.v1';
const ann = newId();

describe('the usage of a reranker', () => {
  let bots: BotsUnderTest;
  let knowledge: KnowledgeUnderTest;
  let provider: Server;
  let botId: string;

  const uses = async () => {
    const { events } = await bots.service.host.published.of('bots').then((log) => log!.after(0));
    return events.filter(({ type }) => type === USED).map(({ data }) => data);
  };

  beforeAll(async () => {
    provider = createServer((request, response) => {
      void json(request).then((body) => {
        const results = (body as { documents: string[] }).documents.map((_, index) => ({ index, relevance_score: 1 / (index + 1) }));
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ results, usage: { total_tokens: 40 } }));
      });
    });
    await new Promise<void>((resolve) => void provider.listen(0, '127.0.0.1', resolve));
    const reranker = { type: 'http', model: 'bge', url: `http://127.0.0.1:${(provider.address() as AddressInfo).port}/rerank` };
    bots = await BotsUnderTest.start({ PARLANCE_RERANKER: JSON.stringify(reranker) });
    knowledge = new KnowledgeUnderTest(bots);
    botId = await knowledge.botWith(ann, { 'ships.txt': 'The ferry leaves at noon.' });
  });
  afterAll(async () => {
    await bots.stop();
    provider.closeAllConnections();
    provider.close();
  });

  it('is returned to the service that requests a reply, which charges it', async () => {
    const { body } = await knowledge.retrieve(ann, botId, 'When does the ferry leave?');
    expect(body).toMatchObject({ reranking: { model: 'bge', searches: 1, tokens: 40, estimated: false }, chunks: [{}] });
    expect(await uses()).toEqual([]);
  });
  it('is published for the user who tries a search', async () => {
    expect((await knowledge.search(ann, botId, 'When does the ferry leave?')).body).toMatchObject({ reranked: true, results: [{}] });
    expect(await uses()).toEqual([
      { use_id: expect.any(String), bot_id: botId, user_id: ann, model: 'bge', searches: 1, input_tokens: 40, estimated: false },
    ]);
  });
});
