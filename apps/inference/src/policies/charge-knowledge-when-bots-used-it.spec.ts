import { expect, it } from '@jest/globals';
import { EmbeddingUsed } from '@parlance/contracts';
import { Instant } from '@parlance/decider';
import type { Clock, Streams } from '@parlance/foundation';
import type { CloudEvent } from '@parlance/messaging';
import type { Catalogue } from '../adapters/pricing/catalogue.ts';
import { type RerankingPrices } from '../adapters/pricing/reranking-prices.ts';
import { SearchCharges } from '../adapters/pricing/search-charges.ts';
import { ChargeKnowledgeWhenBotsUsedIt } from './charge-knowledge-when-bots-used-it.ts';

it('charges an embedding that is reported late at the price at the time of its use', async () => {
  const charged: unknown[] = [];
  const streams = { react: async (...args: unknown[]) => void charged.push(args.at(-1)) } as unknown as Streams;
  const catalogue = { cost: async (_: string, __: object, at: Instant) => at } as unknown as Catalogue;
  const data = { use_id: 'u', bot_id: 'b', user_id: 'ann', model: 'm', input_tokens: 5, estimated: false };
  const event = { type: EmbeddingUsed.type, time: '2026-01-01T00:00:00.000Z', data } as unknown as CloudEvent<EmbeddingUsed>;
  const charges = new SearchCharges(catalogue, {} as RerankingPrices, {} as Clock);
  await new ChargeKnowledgeWhenBotsUsedIt(streams, charges).embedding(event);
  expect(charged).toEqual([expect.objectContaining({ userId: 'ann', botId: 'b', costNanoDollars: Instant.parse(event.time) })]);
});
