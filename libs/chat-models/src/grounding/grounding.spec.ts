import { describe, expect, it } from '@jest/globals';
import { GROUNDING_CASES, type GroundingCase, HARD_CASES } from '../../test/grounding-cases.ts';
import { type Chunk, DEFAULT_PARAMETERS } from '../chat-model.ts';
import { LocalExtractive } from '../local/local-extractive.ts';
import { groundingOf } from './grounding.ts';

const chunkOf = (content: string, index = 0): Chunk => ({
  content,
  content_type: 'text',
  source: 'terms.pdf',
  source_name: 'terms.pdf',
  source_id: 's',
  page_number: index + 1,
  heading: null,
  rank: index + 1,
  score: 1,
});
const never = new AbortController().signal;
const scores = (texts: readonly string[], answer: string, question = 'How long does a refund take?') =>
  groundingOf({ question, answer, chunks: texts.map(chunkOf) }, never);

/** A grounding threshold that a bot may set. */
const THRESHOLD = 0.7;
const isBlocked = async (texts: readonly string[], question: string, answer: string) => {
  return (await scores(texts, answer, question)).grounding! < THRESHOLD;
};

/** How many answers are blocked rightly, blocked wrongly, and missed. */
async function measured(cases: readonly GroundingCase[]) {
  let [right, wrong, missed] = [0, 0, 0];
  for (const { texts, question, grounded, ungrounded } of cases) {
    for (const answer of grounded) if (await isBlocked(texts, question, answer)) wrong++;
    for (const answer of ungrounded) {
      if (await isBlocked(texts, question, answer)) right++;
      else missed++;
    }
  }
  return { right, wrong, missed };
}

describe('the built-in grounding check', () => {
  it('distinguishes supported answers from others', async () => {
    expect(await measured(GROUNDING_CASES)).toEqual({ right: 22, wrong: 0, missed: 0 });
  });
  it('is wrong about some paraphrases and about swapped names', async () => {
    expect(await measured(HARD_CASES)).toEqual({ right: 7, wrong: 3, missed: 4 });
  });
  it('returns the supported share of the answer', async () => {
    const text = 'A refund takes fourteen days. Gift cards are not refunded.';
    expect((await scores([text], 'A refund takes fourteen days. Dinner is served in the garden.')).grounding).toBeCloseTo(0.49, 1);
    expect((await scores([text], text)).grounding).toBe(1);
  });
  it.each([
    ['another number', 'A refund takes 15 days.', 0],
    ['a number that is written in words', 'A refund takes fourteen days.', 1],
    ['an additional number', 'A refund of 20 euros takes 14 days.', 0],
    ['a negation that the text does not have', 'A refund does not take 14 days.', 0],
    ['a lost negation', 'Gift cards are refunded.', 0],
    ['a contraction', "Gift cards aren't refunded.", 1],
    ['a grouped number', 'An order has at most 1000 parts.', 1],
  ])('looks at numbers and negations: %s', async (_, answer, grounding) => {
    const texts = ['A refund takes 14 days. Gift cards are not refunded. An order has at most 1,000 parts.'];
    expect((await scores(texts, answer)).grounding).toBe(grounding);
  });
  it('does not combine statements of different texts', async () => {
    const texts = ['The blue engine needs petrol.', 'The yellow boat carries seven passengers.'];
    expect((await scores(texts, 'The blue engine carries passengers.')).grounding).toBe(0);
  });
  it('finds no support without texts', async () => {
    expect((await scores([], 'A refund takes 14 days.')).grounding).toBe(0);
  });
  it('gives no score to an answer without a statement', async () => {
    expect(await scores(['A refund takes 14 days.'], 'Yes, sure!')).toEqual({ grounding: null, relevance: null });
  });
  it('ignores citation markers and list markers', async () => {
    expect((await scores(['Gift cards are not refunded.'], '7. **Gift cards** are not refunded [^1].')).grounding).toBe(1);
  });
  it("rates relevance by the question's words in the answer and in the text that supports it", async () => {
    const texts = ['A refund takes fourteen days.', 'Dogs are welcome in the garden.'];
    expect((await scores(texts, 'Fourteen days.')).relevance).toBeGreaterThan(0.7);
    expect((await scores(texts, 'Dogs are welcome in the garden.')).relevance).toBe(0);
  });
  it('rates the offline model as grounded, although it introduces itself', async () => {
    const chunks = ['A refund takes fourteen days.', 'Dogs are welcome.'].map(chunkOf);
    const turns = [{ role: 'user' as const, text: 'How long does a refund take?' }];
    const prompt = { turns, instruction: '', parameters: DEFAULT_PARAMETERS, isCached: false };
    for (const asked of [chunks, []]) {
      const knowledge = { chunks: asked, showsSources: true };
      let answer = '';
      for await (const part of new LocalExtractive().generate({ ...prompt, knowledge }, never))
        if (part.type === 'text') answer += part.text;
      const { grounding } = await groundingOf({ question: turns[0]!.text, answer, chunks: asked }, never);
      expect(grounding).toBe(asked.length > 0 ? 1 : null);
    }
  });
  it("is not deceived by a text that starts like the offline model's answers", async () => {
    const own =
      "I am Parlance's offline model. I do not write answers; I quote the sentences that best match the question.\n\n> A refund takes fourteen days.";
    const texts = ['A refund takes fourteen days.'];
    expect((await scores(texts, own)).grounding).toBe(1);
    expect((await scores(texts, `${own}\n\nQuoted from: terms.pdf (page 1).`)).grounding).toBe(1);
    expect((await scores(texts, `${own}\n\nQuoted from: the moon is made of green cheese.`)).grounding).toBeLessThan(0.5);
  });
  it('stops when its signal is aborted', async () => {
    const texts = [chunkOf('A refund takes fourteen days. '.repeat(5_000))];
    const ended = groundingOf({ question: 'x', answer: 'y', chunks: texts }, AbortSignal.abort(new Error('over')));
    await expect(ended).rejects.toThrow('over');
  });
  it('lets other work run, whatever the texts are', async () => {
    const hostile = 'alpha beta gamma delta epsilon, '.repeat(8_000);
    let turns = 0;
    const other = setInterval(() => turns++, 1);
    await scores([hostile], 'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda, '.repeat(30));
    clearInterval(other);
    expect(turns).toBeGreaterThan(5);
  });
  it('lets other work run even for an answer without a statement', async () => {
    let turns = 0;
    const other = setInterval(() => turns++, 1);
    expect(await scores(['A refund takes fourteen days.'], 'é '.repeat(200_000))).toEqual({ grounding: null, relevance: null });
    clearInterval(other);
    expect(turns).toBeGreaterThan(5);
  });
});
