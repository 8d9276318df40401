import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Chunk, Chunking } from '../chunk.ts';
import type { Segment } from '../segment.ts';
import type { Embed } from './breakpoints.ts';
import { percentileOf } from './breakpoints.ts';
import { chunksOf } from './chunks.ts';
import { tokensOf } from './tokens.ts';
import { checkChunking, chunkingProblem } from './validation.ts';

const fixed = (max_tokens: number, overlap_percentage = 0): Chunking => ({
  chunking_strategy: 'fixed_size',
  fixed_size_chunking_configuration: { max_tokens, overlap_percentage },
});
const hierarchical = (parent: number, child: number, overlap_tokens = 0): Chunking => ({
  chunking_strategy: 'hierarchical',
  hierarchical_chunking_configuration: { level_configurations: [{ max_tokens: parent }, { max_tokens: child }], overlap_tokens },
});
const semantic = (max_tokens: number, buffer_size = 0, breakpoint_percentile_threshold = 90): Chunking => ({
  chunking_strategy: 'semantic',
  semantic_chunking_configuration: { max_tokens, buffer_size, breakpoint_percentile_threshold },
});

const prose = (text: string, rest: Partial<Segment> = {}): Segment => ({ text, kind: 'prose', page: null, heading: null, ...rest });

async function chunks(segments: readonly Segment[], chunking: Chunking, embed?: Embed): Promise<Chunk[]> {
  const all: Chunk[] = [];
  for await (const chunk of chunksOf(segments, chunking, 'source', embed)) all.push(chunk);
  return all;
}

const bare = (text: string) => text.replace(/\s+/g, '');

// Words of several scripts, endless words, emoji of two and more code units, and sentence endings.
const word = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
  fc.constantFrom('the', 'house.', 'Is', 'it?', '東京です。次の', '👩‍👩‍👧‍👦', '𝒳𝒴𝒵', '<|endoftext|>', 'e.g.', '\n', '\n\n', '   ', '\t'),
  fc.integer({ min: 200, max: 900 }).map((length) => 'x'.repeat(length)),
  fc.integer({ min: 50, max: 300 }).map((length) => '🙂'.repeat(length)),
);
const text = fc.array(word, { maxLength: 120 }).map((words) => words.join(' '));
const segment = fc.record({
  text,
  kind: fc.constantFrom('prose' as const, 'prose' as const, 'row' as const, 'heading' as const),
  page: fc.constantFrom(null, 1, 2),
  heading: fc.constantFrom(null, 'A'),
});
const segments = fc.array(segment, { maxLength: 6 });
const size = fc.integer({ min: 8, max: 200 });

describe('every chunking', () => {
  const chunking = fc.oneof(
    fc.tuple(size, fc.integer({ min: 0, max: 99 })).map(([max, overlap]) => fixed(max, overlap)),
    size.map((max) => semantic(max, 1)),
    fc.tuple(size, size).map(([a, b]) => hierarchical(Math.max(a, b), Math.min(a, b), Math.floor(Math.min(a, b) / 3))),
  );
  const limitOf = (one: Chunking) =>
    one.chunking_strategy === 'fixed_size'
      ? one.fixed_size_chunking_configuration.max_tokens
      : one.chunking_strategy === 'semantic'
        ? one.semantic_chunking_configuration.max_tokens
        : one.chunking_strategy === 'hierarchical'
          ? one.hierarchical_chunking_configuration.level_configurations[1]!.max_tokens
          : Infinity;

  it('keeps chunks within max_tokens, splits no character and repeats exactly', async () => {
    await fc.assert(
      fc.asyncProperty(segments, chunking, async (document, one) => {
        const found = await chunks(document, one);
        for (const [at, { ordinal, text: content, tokens, id }] of found.entries()) {
          expect(ordinal).toBe(at);
          expect(tokens).toBe(tokensOf(content));
          expect(tokens).toBeLessThanOrEqual(limitOf(one));
          expect(content.isWellFormed() || !document.every((part) => part.text.isWellFormed())).toBe(true);
          expect(id).toHaveLength(27);
        }
        expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
        expect(await chunks(document, one)).toEqual(found);
      }),
      { numRuns: 60 },
    );
  });

  it('without overlap loses no text', async () => {
    const without = fc.oneof(
      fc.constant<Chunking>({ chunking_strategy: 'none' }),
      size.map((max) => fixed(max)),
      size.map((max) => semantic(max, 1, 50)),
      fc.tuple(size, size).map(([a, b]) => hierarchical(Math.max(a, b), Math.min(a, b))),
    );
    await fc.assert(
      fc.asyncProperty(segments, without, async (document, one) => {
        const found = await chunks(document, one);
        expect(bare(found.map((chunk) => chunk.text).join(''))).toBe(bare(document.map((part) => part.text).join('')));
      }),
      { numRuns: 80 },
    );
  });
});

const SENTENCES = Array.from({ length: 30 }, (_, at) => `Sentence number ${at} tells about topic ${at % 7}.`);

describe('pages', () => {
  it.each([fixed(300, 20), semantic(300), hierarchical(1_500, 300, 60)])(
    'do not share a chunk or a parent: $chunking_strategy',
    async (chunking) => {
      const found = await chunks([prose('One two three.', { page: 1 }), prose('Four five six.', { page: 2 })], chunking);
      expect(found.map((chunk) => [chunk.text, chunk.parent ?? chunk.text, chunk.page_number])).toEqual([
        ['One two three.', 'One two three.', 1],
        ['Four five six.', 'Four five six.', 2],
      ]);
    },
  );
});

describe('fixed_size', () => {
  it('ends chunks at the ends of sentences', async () => {
    const found = await chunks([prose(SENTENCES.join(' '))], fixed(50));
    expect(found.length).toBeGreaterThan(4);
    for (const chunk of found) expect(chunk.text).toMatch(/^Sentence .*\.$/);
  });

  it('repeats as many whole sentences from the end of the previous chunk as fit the overlap', async () => {
    const found = await chunks([prose(SENTENCES.join(' '))], fixed(50, 40));
    for (const [at, chunk] of found.entries()) {
      if (at === 0) continue;
      const before = found[at - 1]!.text.split(/(?<=\.) /);
      const own = chunk.text.split(/(?<=\.) /);
      const from = before.indexOf(own[0]!);
      expect(from).toBeGreaterThan(0);
      const shared = before.slice(from);
      expect(own.slice(0, shared.length)).toEqual(shared);
      expect(tokensOf(shared.join(' '))).toBeLessThanOrEqual(20);
      expect(tokensOf(before.slice(from - 1).join(' '))).toBeGreaterThan(20);
    }
  });

  it('repeats words of a sentence that is longer than a chunk', async () => {
    const found = await chunks([prose(Array.from({ length: 300 }, (_, at) => `word${at}`).join(' '))], fixed(100, 40));
    for (const [at, { text: content }] of found.entries()) if (at > 0) expect(found[at - 1]!.text).toContain(content.split(' ')[0]);
  });

  it('assigns a chunk the page and the heading of its first character', async () => {
    const found = await chunks(
      [prose('One two three.', { page: 1, heading: 'A' }), prose('Four five six.', { page: 2, heading: 'B' })],
      fixed(6),
    );
    expect(found.map(({ page_number, heading }) => [page_number, heading])).toEqual([
      [1, 'A'],
      [2, 'B'],
    ]);
  });

  it('keeps a heading with what follows it', async () => {
    const found = await chunks(
      [
        prose(SENTENCES.slice(0, 3).join(' ')),
        { text: 'Heading', kind: 'heading', page: null, heading: 'Heading' },
        prose(SENTENCES.slice(3, 6).join(' ')),
      ],
      fixed(40),
    );
    expect(found.map((chunk) => chunk.text.startsWith('Heading\n\n'))).toEqual([false, true]);
  });

  it('splits a long run without spaces in linear time', async () => {
    expect((await chunks([prose('a'.repeat(300_000))], fixed(300))).length).toBeGreaterThan(100);
  });
});

describe('hierarchical', () => {
  it("stores the parent's text with each child", async () => {
    const found = await chunks([prose(SENTENCES.join(' '))], hierarchical(120, 30, 12));
    const parents = [...new Set(found.map(({ parent }) => parent!))];
    expect(parents.length).toBeGreaterThan(1);
    expect(parents.join(' ')).toBe(SENTENCES.join(' '));
    for (const { text: content, parent } of found) expect(parent).toContain(content);
    for (const parent of parents) expect(tokensOf(parent)).toBeLessThanOrEqual(120);
    // Sentences at the borders within a parent are repeated.
    expect(found.reduce((sum, { tokens }) => sum + tokens, 0)).toBeGreaterThan(tokensOf(SENTENCES.join(' ')) * 1.2);
  });
});

describe('semantic', () => {
  const cats = 'Cats sleep a lot. Cats purr when cats sleep. Sleep makes cats happy.';
  const tax = 'Tax returns are due in May. Late tax returns cost money. Money for tax returns is kept.';

  it('breaks where the words change', async () => {
    const found = await chunks([prose(`${cats} ${tax}`)], semantic(200, 0, 80));
    expect(found.map((chunk) => chunk.text)).toEqual([cats, tax]);
  });

  it('breaks where the vectors change, and requests them in batches', async () => {
    const batches: number[] = [];
    const embed: Embed = async (batch) => {
      batches.push(batch.length);
      return batch.map((sentence) => new Float32Array(Number(/number (\d+)/.exec(sentence)![1]) < 70 ? [1, 0.1] : [0.1, 1]));
    };
    const many = Array.from({ length: 140 }, (_, at) => `Sentence number ${at} is here.`);
    const found = await chunks([prose(many.join(' '))], semantic(1000, 0, 99.5), embed);
    expect(found.map((chunk) => chunk.text)).toEqual([many.slice(0, 70).join(' '), many.slice(70).join(' ')]);
    expect(batches).toEqual([64, 64, 12]);
  });

  it('interpolates the percentile between neighbours', () => {
    expect(percentileOf(Float64Array.of(4, 1, 3, 2), 50)).toBe(2.5);
    expect(percentileOf(Float64Array.of(1, 2), 100)).toBe(2);
  });
});

describe('none', () => {
  it('makes one chunk of a document', async () => {
    const found = await chunks([prose('One.', { page: 3 }), prose('Two.')], { chunking_strategy: 'none' });
    expect(found).toMatchObject([{ text: 'One.\n\nTwo.', page_number: 3, parent: null }]);
  });

  it('refuses a document that is too long for one chunk', async () => {
    await expect(chunks([prose('word '.repeat(300_000))], { chunking_strategy: 'none' })).rejects.toMatchObject({ code: 'too_large' });
  });
});

describe('a chunking', () => {
  it.each([
    [fixed(0)],
    [fixed(1.5)],
    [fixed(40_000)],
    [fixed(300, 100)],
    [fixed(300, -1)],
    [fixed(300, Number.NaN)],
    [semantic(0)],
    [semantic(300, -1)],
    [semantic(300, 11)],
    [semantic(300, 1, 101)],
    [hierarchical(100, 200)],
    [hierarchical(100, 50, 50)],
    [hierarchical(100, 50, -1)],
    [
      {
        chunking_strategy: 'hierarchical',
        hierarchical_chunking_configuration: { level_configurations: [{ max_tokens: 3 }], overlap_tokens: 0 },
      } as Chunking,
    ],
    [{ chunking_strategy: 'other' } as unknown as Chunking],
  ])('is refused if it makes no sense: %j', (one) => {
    expect(() => checkChunking(one)).toThrow(expect.objectContaining({ code: 'chunking_invalid' }));
  });

  it.each([[fixed(1)], [fixed(300, 99)], [semantic(300, 0, 0)], [hierarchical(100, 100, 99)], [{ chunking_strategy: 'none' } as Chunking]])(
    'is accepted if it is valid: %j',
    (one) => expect(chunkingProblem(one)).toBeNull(),
  );
});
