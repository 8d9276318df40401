import type { QueryBus } from '@nestjs/cqrs';
import type { ServiceCalls } from '@parlance/calls';
import { describe, expect, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import type { Clock, Streams } from '@parlance/foundation';
import type { Budgets } from '../adapters/budgets.ts';
import type { Catalogue } from '../adapters/pricing/catalogue.ts';
import type { Vault } from '@parlance/privacy';
import type { ReplyMemory } from '../workflows/memory/reply-memory.ts';
import type { ProjectInstructions } from '../workflows/projects/project-instructions.ts';
import type { SealedTurn } from '../projections/transcript.ts';
import { type ReplyToReserve, ReplyReservations, TOKENS_OF_A_BOT } from './reply-reservations.ts';

const DOLLAR = 1_000_000_000;
/** Dollars per million tokens. */
const price = (input: number, output: number, cacheWrite = input) => ({
  from: Instant.ofMillis(0),
  input: input * DOLLAR,
  output: output * DOLLAR,
  cacheRead: input * DOLLAR,
  cacheWrite: cacheWrite * DOLLAR,
});
const entry = (fallbacks: string[] = []) => ({ context_window: 100_000, max_output_tokens: 1_000, fallbacks });
/** A text of this many tokens. */
const text = (tokens: number) => 'word'.concat(' word'.repeat(tokens - 1));
const request: ReplyToReserve = { userId: 'ann', botId: null, model: 'm', parentId: 'p', question: [text(400)] };
/** The tokens of the text and those that a provider adds. */
const TOKENS = 400 + 200;

/** The cost that is reserved, in dollars. */
async function reserved(
  models: Readonly<Record<string, ReturnType<typeof price>>>,
  more: Partial<ReplyToReserve> = {},
  fallbacks: string[] = [],
  turns: readonly SealedTurn[] = [],
  provider = 'openai',
) {
  let cost = 0;
  const catalogue = {
    entries: new Map(Object.keys(models).map((id) => [id, entry(id === 'm' ? fallbacks : [])])),
    recentPriceAt: async (id: string) => models[id],
    providerTypeOf: () => provider,
    readsOfAny: () => ({ images: true, documents: true }),
  };
  // Texts are not sealed.
  const vault = { open: async (content: string) => content, openJson: async (terms: string) => JSON.parse(terms) as unknown };
  const budgets = { reserve: async (_: unknown, most: () => Promise<number>) => void (cost = await most()) };
  const reservations = new ReplyReservations(
    budgets as unknown as Budgets,
    catalogue as unknown as Catalogue,
    { execute: async () => turns } as unknown as QueryBus,
    {} as Streams,
    { now: () => Instant.ofMillis(0) } as Clock,
    {} as ServiceCalls,
    vault as unknown as Vault,
    { of: async (_: string, __: string, id?: string | null) => (id === 'p' ? text(50) : '') } as unknown as ProjectInstructions,
    { mostTokens: async (userId: string) => (userId === 'remembered' ? 700 : 0) } as unknown as ReplyMemory,
  );
  await reservations.reserve('c', { ...request, ...more });
  return cost / DOLLAR;
}

const dollars = (input: number, inputPrice: number, outputPrice: number) => (input * inputPrice + 1_000 * outputPrice) / 1_000_000;

describe('the reserved cost of a reply', () => {
  it('covers the prompt and the output limit', async () => {
    expect(await reserved({ m: price(1, 2) })).toBeCloseTo(dollars(TOKENS, 1, 2), 9);
  });
  it('covers the most expensive model that may answer', async () => {
    expect(await reserved({ m: price(1, 2), dear: price(10, 20) }, {}, ['dear'])).toBeCloseTo(dollars(TOKENS, 10, 20), 9);
  });
  it('uses the highest input price, because all input may be written to the cache', async () => {
    expect(await reserved({ m: price(1, 2, 1.25) })).toBeCloseTo(dollars(TOKENS, 1.25, 2), 9);
  });
  it('includes the instruction and the chunks of a bot', async () => {
    expect(await reserved({ m: price(1, 2) }, { botId: 'b' })).toBeCloseTo(dollars(TOKENS + TOKENS_OF_A_BOT, 1, 2), 9);
  });
  it('includes only the instruction of a known bot without tools', async () => {
    const bot = { instruction: text(1_000), hasTools: false };
    expect(await reserved({ m: price(1, 2) }, { botId: 'b', bot })).toBeCloseTo(dollars(TOKENS + 1_000, 1, 2), 9);
    const withTools = { ...bot, hasTools: true };
    expect(await reserved({ m: price(1, 2) }, { botId: 'b', bot: withTools })).toBeCloseTo(
      dollars(TOKENS + 1_000 + TOKENS_OF_A_BOT, 1, 2),
      9,
    );
  });
  it('includes the memory of the user, which APIs do not use', async () => {
    const asked = { userId: 'remembered' };
    expect(await reserved({ m: price(1, 2) }, asked)).toBeCloseTo(dollars(TOKENS + 700, 1, 2), 9);
    expect(await reserved({ m: price(1, 2) }, { ...asked, api: { apiId: 'a', keyId: 'k' } })).toBeCloseTo(dollars(TOKENS, 1, 2), 9);
  });
  it('includes the instruction of the project, which APIs do not have', async () => {
    expect(await reserved({ m: price(1, 2) }, { projectId: 'p' })).toBeCloseTo(dollars(TOKENS + 50, 1, 2), 9);
    expect(await reserved({ m: price(1, 2) }, { projectId: 'p', api: { apiId: 'a', keyId: 'k' } })).toBeCloseTo(dollars(TOKENS, 1, 2), 9);
  });
  it('includes the texts of earlier turns, and the texts that programs have sent with them', async () => {
    const terms = JSON.stringify({ instruction: text(100), turns: [{ role: 'user', text: text(50) }], stopSequences: ['x'] });
    const turns = [{ role: 'user', content: text(300), terms } as const, { role: 'assistant', content: text(90) } as const];
    expect(await reserved({ m: price(1, 2) }, {}, [], turns)).toBeCloseTo(dollars(TOKENS + 300 + 100 + 50 + 90, 1, 2), 9);
  });
  it('has a margin of a seventh for a model whose tokenizer is not public', async () => {
    for (const provider of ['anthropic', 'bedrock'])
      expect(await reserved({ m: price(1, 2) }, {}, [], [], provider)).toBeCloseTo(dollars(Math.ceil((TOKENS * 8) / 7), 1, 2), 9);
  });
  it.each(['openai', 'openai_compatible', 'local'])('has no margin for a model of %s, whose tokens are counted', async (provider) =>
    expect(await reserved({ m: price(1, 2) }, {}, [], [], provider)).toBeCloseTo(dollars(TOKENS, 1, 2), 9),
  );
  it('includes the files of the message and of earlier turns', async () => {
    const image = { kind: 'image', mediaType: 'image/png', bytes: 1_000_000 } as const;
    const note = { kind: 'attachment', mediaType: 'text/plain', bytes: 100, textBytes: 4_000, textTokens: 1_000 } as const;
    const turns = [{ role: 'user', content: text(300), files: [{ ...note, id: 'f', sealed: '' }] }] as const;
    expect(await reserved({ m: price(1, 2) }, { files: [image, note] }, [], turns)).toBeCloseTo(
      dollars(TOKENS + 1_600 + 1_000 + 300 + 1_000, 1, 2),
      9,
    );
  });
  it('covers no more input than the window of the model', async () => {
    expect(await reserved({ m: price(1, 2) }, { question: [text(200_000)] })).toBeCloseTo(dollars(100_000, 1, 2), 9);
  });
});
