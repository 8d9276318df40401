import { describe, expect, it } from '@jest/globals';
import type { QueryBus } from '@nestjs/cqrs';
import type { Vault } from '@parlance/privacy';
import { UNTITLED } from '../domain/title-rule.ts';
import type { ListedConversation } from '../projections/conversations.ts';
import { ConversationSummaries } from './conversation-summaries.ts';

const listed = (title: string | null) => ({
  row: { conversation_id: 'c', title, started_at: 0, last_message_at: 0 },
  nanoDollars: 1_500_000_000,
});

/** The titles of conversations that begin with this message. Texts are not sealed. */
async function titles(stored: readonly (string | null)[], question: string | null) {
  let read = 0;
  const queries = { execute: async () => ((read += 1), { question, answer: null }) };
  const vault = { open: async (text: string) => text, openOften: async (text: string) => text };
  const summaries = new ConversationSummaries(queries as unknown as QueryBus, vault as unknown as Vault);
  const answers = await summaries.of(stored.map(listed) as unknown as ListedConversation[]);
  return { titles: answers.map(({ title }) => title), read, prices: answers.map(({ total_price }) => total_price) };
}

describe('the summaries of conversations', () => {
  it('have the stored title, and the price in dollars', async () =>
    expect(await titles(['Birds'], 'Why?')).toEqual({ titles: ['Birds'], read: 0, prices: [1.5] }));
  it('have the first words of a conversation that an earlier release has started', async () =>
    expect(await titles([null], 'Why do birds sing?')).toMatchObject({ titles: ['Why do birds sing?'], read: 1 }));
  it('have a general title if there are no words', async () => expect((await titles([null], null)).titles).toEqual([UNTITLED]));
  it('read a bounded size of first messages', async () => {
    const { titles: shown, read } = await titles(
      Array.from({ length: 10 }, () => null),
      'word '.repeat(300_000),
    );
    expect(read).toBeLessThan(5);
    expect([shown[0]!.startsWith('word word'), shown.at(-1)]).toEqual([true, UNTITLED]);
  });
});
