import { describe, expect, it } from '@jest/globals';
import type { ReadModels } from '@parlance/read-models';
import { messageKey } from './message-rows.ts';
import { QuestionOf } from './pending-replies.ts';

const question = { message_id: 'm1', user_id: 'ann', model: 'other', parent: 'r0', content: 's1.why' };
const reply = { message_id: 'r1', parent: 'm1', model: 'local' };
const conversation = { bot_id: 'b' };

async function questionOf(rows: readonly { message_id: string }[], of: object | null = conversation) {
  const byKey = new Map<string, object | null>([['c', of], ...rows.map((row) => [messageKey('c', row.message_id), row] as const)]);
  const models = { get: async (_: unknown, key: string) => byKey.get(key) ?? null } as unknown as ReadModels;
  return QuestionOf.find(models, 'c', 'r1');
}

describe('the question of a reply', () => {
  it('is the message that the reply answers, with its author, bot, parent and sealed text, for the model of the reply', async () =>
    expect(await questionOf([question, reply])).toEqual({
      userId: 'ann',
      botId: 'b',
      model: 'local',
      parentId: 'r0',
      content: 's1.why',
      continues: null,
      wantsReasoning: false,
    }));
  it('has the text that the reply continues, and whether the model is to reason', async () => {
    const earlier = { message_id: 'r0', content: 's1.because' };
    const asked = await questionOf([question, earlier, { ...reply, continues: 'r0', wants_reasoning: true } as typeof reply]);
    expect(asked).toMatchObject({ continues: 's1.because', wantsReasoning: true });
  });
  it('is null when the conversation no longer exists', async () => expect(await questionOf([question, reply], null)).toBeNull());
  it.each([
    ['the reply is gone', [question]],
    ['the message is gone', [reply]],
    ['the text was erased', [{ ...question, content: null }, reply]],
  ])('is null when %s', async (_, rows) => expect(await questionOf(rows)).toBeNull());
});
