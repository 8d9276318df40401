import { describe, expect, it } from '@jest/globals';
import { refuse } from '@parlance/decider';
import { type Chunk, DEFAULT_PARAMETERS, type Knowledge } from '@parlance/chat-models';
import type { FromBot } from '../../adapters/from-bot.ts';
import type { Question } from './reply-prompt.ts';
import { reply, question, usage, writing } from '../../../test/written-reply.ts';

describe('writing a reply of a bot', () => {
  const ofBot: Question = { ...question, botId: 'b' };
  const chunk: Chunk = {
    content: 'Because.',
    content_type: 'text',
    source: 'why.pdf',
    source_name: 'why.pdf',
    source_id: 's1',
    page_number: 2,
    heading: null,
    rank: 1,
    score: 0.5,
  };
  const found = (showsSources: boolean, chunks: readonly Chunk[] = [chunk]): FromBot => {
    const knowledge: Knowledge = { chunks, showsSources };
    return { instruction: 'Be brief.', knowledge, parameters: DEFAULT_PARAMETERS, isCached: true, bot: null };
  };
  const reading = (its: string) => async () => ({ text: its, usage });

  it('searches for the question as its user, and passes the results to the model', async () => {
    const { writer, observed } = writing({ search: async () => found(true) });
    await writer.write(reply, ofBot);
    expect(observed.searches).toEqual([['b', 'ann', 'why']]);
    expect(observed.prompt).toMatchObject({ instruction: 'Be brief.', knowledge: { chunks: [chunk] } });
  });
  it('uses the parameters of the bot, and its reasoning budget only if the user wants reasoning', async () => {
    const parameters = { ...DEFAULT_PARAMETERS, maxTokens: 9, reasoningTokens: 4_000 };
    const search = async () => ({ ...found(true), parameters });
    const observed = [];
    for (const wantsReasoning of [false, true]) {
      const written = writing({ search });
      await written.writer.write(reply, { ...ofBot, wantsReasoning });
      observed.push(written.observed.prompt);
    }
    expect(observed).toMatchObject([
      { parameters: { maxTokens: 9, reasoningTokens: null }, isCached: true },
      { parameters: { maxTokens: 9, reasoningTokens: 4_000 } },
    ]);
  });
  it('searches for a reply that is taken over, too', async () => {
    const sealedQuestion = { userId: 'ann', botId: 'b', model: 'm', parentId: null, content: 'sealed', continues: null };
    const { writer, observed } = writing({ sealedQuestion, search: async () => found(true) });
    await writer.write(reply);
    expect(observed.searches).toEqual([['b', 'ann', 'open sealed']]);
  });
  it('searches nothing without a bot', async () => {
    const { writer, observed } = writing();
    await writer.write(reply, question);
    expect([observed.searches, observed.prompt.knowledge, observed.ends]).toMatchObject([[], null, [{ usedChunks: null }]]);
  });
  it('stores the chunks, and keeps only their markers', async () => {
    const two = [chunk, { ...chunk, rank: 2 }];
    const { writer, observed } = writing({ search: async () => found(true, two), generate: reading('So [^1], and [^2] not [^3].') });
    await writer.write(reply, ofBot);
    expect(observed.ends).toMatchObject([
      { content: 'So [^1], and [^2] not.', usedChunks: { content: JSON.stringify(two), sourceIds: ['s1'] } },
    ]);
  });
  it('stores no chunk and no marker for a bot that does not show its sources', async () => {
    const { writer, observed } = writing({ search: async () => found(false), generate: reading('So [^1].') });
    await writer.write(reply, ofBot);
    expect(observed.ends).toMatchObject([{ content: 'So.', usedChunks: null }]);
  });
  it('stores no chunks when none was found', async () => {
    const { writer, observed } = writing({ search: async () => found(true, []), generate: reading('No [^1].') });
    await writer.write(reply, ofBot);
    expect(observed.ends).toMatchObject([{ content: 'No.', usedChunks: null }]);
  });
  it('leaves a text written without knowledge unchanged', async () => {
    const { writer, observed } = writing({ generate: reading('A footnote is [^1].') });
    await writer.write(reply, question);
    expect(observed.ends).toMatchObject([{ content: 'A footnote is [^1].' }]);
  });
  it('fails with the code of the refusal when the bot no longer exists', async () => {
    const gone = () => Promise.reject(refuse('missing', 'bot_not_found', 'It is gone.'));
    const { writer, observed } = writing({ search: gone });
    await writer.write(reply, ofBot);
    expect(observed.ends).toMatchObject([{ type: 'FailReply', code: 'bot_not_found', reason: 'It is gone.' }]);
  });
  it('leaves the reply to be taken over when the bots service does not answer', async () => {
    const { writer, observed } = writing({ search: () => Promise.reject(refuse('unavailable', 'service_unavailable', 'Away.')) });
    await writer.write(reply, ofBot);
    expect([observed.commands, observed.errors]).toEqual([[], 1]);
  });
});
