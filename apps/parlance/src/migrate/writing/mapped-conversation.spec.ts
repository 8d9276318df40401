import { describe, expect, it } from '@jest/globals';
import { ExportDirectory } from '../source/export-directory.ts';
import { recordOf } from '../source/records.ts';
import type { FoundDocument } from '../source/related-documents.ts';
import { mapped } from './mapped-conversation.ts';

const BOT = '01JH6R5E00EY448H9GBZWJ1JTJ';
const document: FoundDocument = { id: 't@0', name: 'a', link: '', page: null, content: 'c', file: 'f', line: 9, hasText: true };
const message = { role: 'user', content: 'Why?', model: 'm', parent: null, create_time: 1_741_089_600 };
const itemOf = (user: string, more: object = {}) => ({
  PK: user,
  SK: `${user}#CONV#c`,
  CreateTime: '1741089600',
  TotalPrice: '0.75',
  BotId: BOT,
  MessageMap: JSON.stringify({ q: message }),
  ...more,
});
const map = (user: string, { more = {}, repeated = new Set<string>(), owner = 'ann' as string | null } = {}) =>
  mapped(
    { file: 'f', line: 1, record: recordOf(itemOf(user, more)), reason: '' },
    {
      source: new ExportDirectory('/'),
      accounts: new Map([['ann', 'A']]),
      scanned: { repeated, documents: { of: () => [document] } as never, ownerOf: () => owner ?? undefined },
    },
  );

describe('a conversation through a published API', () => {
  it('is imported without messages, and its cost is charged to the bot and its owner', async () => {
    const { conversation, messages, notes } = await map(`PUBLISHED_API#${BOT}`);
    expect(conversation).toMatchObject({ user_id: 'A', bot_id: BOT, cost_nano_dollars: 750_000_000, messages: [], use_only: true });
    expect(messages).toBe(1);
    expect(notes).toMatchObject([
      {
        reason: 'published_api_conversation',
        detail: expect.stringMatching(/^It has no user, because programs had it .* Its cost is charged/),
      },
      { reason: 'related_document_not_taken', document },
    ]);
  });
  it('is left out if the bot has no owner', async () => {
    const { conversation, left, nanoDollars } = await map(`PUBLISHED_API#${BOT}`, { owner: null });
    expect([conversation, left?.reason, nanoDollars]).toEqual([null, 'published_api_without_bot', 750_000_000]);
  });
});

describe('a conversation that is left out', () => {
  it.each([
    ['an unknown user', 'ben', {}, 'user_unknown'],
    ['no time', 'ann', { CreateTime: 'x' }, 'create_time_invalid'],
  ])('because of %s is reported with its documents', async (_, user, more, reason) => {
    const { left, notes } = await map(user, { more });
    expect([left?.reason, notes.map((note) => [note.reason, note.document?.line])]).toEqual([reason, [['related_document_not_taken', 9]]]);
  });
  it('because it is a repeat does not affect the documents of the first one', async () => {
    const { left, notes } = await map('ann', { repeated: new Set(['f:1']) });
    expect([left?.reason, notes]).toEqual(['duplicate', []]);
  });
});
