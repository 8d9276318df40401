import { describe, expect, it } from '@jest/globals';
import type { ReadModels } from '@parlance/read-models';
import { messageKey } from './messages.ts';
import { QuestionOf } from './owed-replies.ts';

const question = { message_id: 'm1', user_id: 'ann', model: 'local', parent: 'r0', content: 's1.why' };
const reply = { message_id: 'r1', parent: 'm1' };
const conversation = { bot_id: 'b' };

async function questionOf(rows: readonly { message_id: string }[], of: object | null = conversation) {
  const byKey = new Map<string, object | null>([['c', of], ...rows.map((row) => [messageKey('c', row.message_id), row] as const)]);
  const models = { get: async (_: unknown, key: string) => byKey.get(key) ?? null } as unknown as ReadModels;
  return QuestionOf.find(models, 'c', 'r1');
}

describe('the question of a reply', () => {
  it('is the message that the reply answers, with its author, bot, model, parent and sealed text', async () =>
    expect(await questionOf([question, reply])).toEqual({ userId: 'ann', botId: 'b', model: 'local', parentId: 'r0', content: 's1.why' }));
  it('is null when the conversation is gone', async () => expect(await questionOf([question, reply], null)).toBeNull());
  it.each([
    ['the reply is gone', [question]],
    ['the message is gone', [reply]],
    ['the text was erased', [{ ...question, content: null }, reply]],
  ])('is null when %s', async (_, rows) => expect(await questionOf(rows)).toBeNull());
});
