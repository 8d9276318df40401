import { expect, it } from '@jest/globals';
import type { SourceRecord } from '../source/records.ts';
import { lastUseLost } from './last-use.ts';

const lost = (kind: SourceRecord['kind'], item: object, hasConversation = false) =>
  lastUseLost({ kind, item: { ...item }, userId: 'u', id: 'b', version: 3 }, hasConversation);
const used = { CreateTime: '1741089600', LastUsedTime: '1741089660' };

it('a last use is lost if no conversation shows it', () =>
  expect(lost('bot', used)).toEqual({
    reason: 'last_used_time_not_taken',
    detail: '2025-03-04T12:01:00.000Z: the export has no conversation of the user with the bot.',
  }));
it('a last use of version 2 is lost in the same way', () =>
  expect(lost('alias', { CreateTime: '1741089600', LastBotUsed: '1741089600' })).not.toBeNull());
it.each([
  ['with a conversation', () => lost('bot', used, true)],
  ['without a time', () => lost('bot', { CreateTime: '1741089600' })],
  ['of a bot that was not used since it was created', () => lost('bot', { ...used, LastUsedTime: '1741089600' })],
])('no use is lost %s', (_, find) => expect(find()).toBeNull());
