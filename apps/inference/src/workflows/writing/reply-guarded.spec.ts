import { describe, expect, it } from '@jest/globals';
import { BLOCKED_TEXT } from '../../adapters/guardrail.ts';
import { DEFAULT_PARAMETERS, type Routed } from '@parlance/chat-models';
import type { FromBot } from '../../adapters/from-bot.ts';
import { LONGEST_REPLY_BYTES } from './generation.ts';
import type { Question } from './reply-prompt.ts';
import { reply, question, usage, writing, GUARDED_CHUNK } from '../../../test/written-reply.ts';

describe('writing a reply of a bot with a guardrail', () => {
  const guardrail = { arn: null, version: '', groundingThreshold: 0.7, relevanceThreshold: 0, blockedText: 'Ask the desk.' };
  const search =
    (its: object = guardrail) =>
    async (): Promise<FromBot> => ({
      instruction: '',
      knowledge: { chunks: [{ ...GUARDED_CHUNK }], showsSources: true },
      parameters: DEFAULT_PARAMETERS,
      isCached: false,
      bot: {
        version: 3,
        chunkIds: ['c1'],
        guardrail: { ...guardrail, ...its },
        activeModels: [],
        embedding: null,
        reranking: null,
        tools: [],
        ownerId: null,
        configuredBy: null,
        memory: null,
      },
    });
  const ofBot: Question = { ...question, botId: 'b' };
  const produced = (body: string) =>
    async function* (): AsyncGenerator<Routed> {
      yield { type: 'reasoning', text: 'Hm.' };
      for (const piece of body.split(/(?<= )/)) yield { type: 'text', text: piece };
      yield { type: 'end', stopReason: 'end_turn', usage, requestId: null };
    };
  const provenance = (verdict: string, grounding: number) => ({
    botVersion: 3,
    chunks: [{ id: 'c1', hash: expect.stringMatching(/^[\w-]{16}$/) }],
    guardrail: { by: 'builtin', verdict, grounding },
  });

  it('stores an answer unchanged if the chunks support it', async () => {
    const { writer, observed } = writing({ search: search(), produce: produced('A refund takes fourteen days [^1].') });
    await writer.write(reply, ofBot);
    expect(observed.ends).toMatchObject([
      { content: 'A refund takes fourteen days [^1].', reasoning: 'Hm.', blocked: null, provenance: provenance('passed', 1) },
    ]);
    expect(observed.ends[0]).toHaveProperty('usedChunks.sourceIds', ['s1']);
  });
  it('replaces any other answer, keeps the original separately, and shows neither its reasoning nor the chunks', async () => {
    const { writer, observed } = writing({ search: search(), produce: produced('Dinner is served in the garden.') });
    await writer.write(reply, ofBot);
    expect(observed.ends).toMatchObject([
      {
        type: 'CompleteReply',
        content: 'Ask the desk.',
        reasoning: null,
        usedChunks: null,
        blocked: 'Dinner is served in the garden.',
        usage,
        provenance: provenance('blocked', 0),
      },
    ]);
  });
  it('has a default text for bots without one', async () => {
    const { writer, observed } = writing({ search: search({ blockedText: '' }), produce: produced('Dinner is served.') });
    await writer.write(reply, ofBot);
    expect(observed.ends).toMatchObject([{ content: BLOCKED_TEXT }]);
  });
  it('shows nothing before the check', async () => {
    const seen: string[] = [];
    const { writer, live } = writing({
      search: search(),
      produce: async function* () {
        yield { type: 'text', text: 'A refund takes ' };
        yield { type: 'reasoning', text: 'Hm.' };
        seen.push(live.of('r')!.text.toString(), live.of('r')!.reasoning.toString());
        yield { type: 'text', text: 'fourteen days.' };
        yield { type: 'end', stopReason: 'end_turn', usage, requestId: null };
      },
    });
    let shown = '';
    const { end } = live;
    live.end = (each) => {
      shown = each.text.toString();
      end.call(live, each);
    };
    await writer.write(reply, ofBot);
    expect([seen, shown]).toEqual([['', ''], 'A refund takes fourteen days.']);
  });
  it('stores nothing of an answer that was stopped before its check, but charges it', async () => {
    const { writer, observed, live } = writing({
      search: search(),
      produce: async function* () {
        yield { type: 'text', text: 'Dinner is served.' };
        live.of('r')!.stop('cancelled');
        yield { type: 'text', text: 'More.' };
      },
    });
    await writer.write(reply, ofBot);
    expect(observed.ends).toMatchObject([
      { type: 'CompleteReply', stopReason: 'cancelled', content: '', blocked: null, usage: { estimated: true } },
    ]);
  });
  it('checks the stored part of an answer that becomes too long', async () => {
    const endless = async function* (): AsyncGenerator<Routed> {
      for (;;) yield { type: 'text', text: 'x'.repeat(1_000_000) };
    };
    const { writer, observed } = writing({ search: search(), produce: endless });
    await writer.write(reply, ofBot);
    const blocked = 'x'.repeat(LONGEST_REPLY_BYTES);
    expect(observed.ends).toMatchObject([
      { type: 'CompleteReply', stopReason: 'max_tokens', content: 'Ask the desk.', blocked, usage: { estimated: true } },
    ]);
  });
  it('checks only the text added to a continued reply', async () => {
    const continuing = { ...ofBot, continues: 'Checked before. ' };
    const { writer, observed } = writing({ search: search(), produce: produced('Dinner is served.') });
    await writer.write(reply, continuing);
    expect(observed.ends).toMatchObject([{ content: 'Checked before. Ask the desk.', blocked: 'Dinner is served.' }]);
  });
  it('fails without a verdict, shows nothing, and charges the output', async () => {
    const arn = 'arn:aws:bedrock:eu-west-1:123456789012:guardrail/abc';
    const { writer, observed } = writing({ search: search({ arn }), produce: produced('A refund takes fourteen days.') });
    await writer.write(reply, ofBot);
    expect(observed.ends).toMatchObject([
      {
        type: 'FailReply',
        code: 'guardrail_failed',
        reason: 'The guardrail of this bot returned no verdict, because no provider of the type bedrock is configured.',
        partial: { content: '', usage },
      },
    ]);
  });
});
