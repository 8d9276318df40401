import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { addTexts, hitsOf, lexicalOnly } from '../../test/content.ts';
import { lancePlace, sizedPlace, sqlitePlace } from '../../test/places.ts';
import { IndexMissing } from './errors.ts';
import type { IndexBuilder, IndexName, KnowledgeIndexes } from './knowledge-indexes.ts';

const histories = fc.array(
  fc.record({
    type: fc.constantFrom('build', 'add', 'add', 'finish', 'finish', 'abandon', 'remove', 'search' as const),
    bot: fc.integer({ min: 0, max: 2 }),
    generation: fc.integer({ min: 0, max: 1 }),
  }),
  { minLength: 10, maxLength: 40 },
);

type Step = { type: string; bot: number; generation: number };

/** The expected state of one index: its texts, and its builder while it is unfinished. */
interface Expected {
  builder: IndexBuilder | null;
  texts: string[];
  isFinished: boolean;
}

async function replay(indexes: KnowledgeIndexes, history: readonly Step[], prefix: string): Promise<void> {
  const all = new Map<string, { name: IndexName; expected: Expected }>();
  const none = (): Expected => ({ builder: null, texts: [], isFinished: false });
  const check = async (name: IndexName, { isFinished, texts }: Expected) => {
    if (!isFinished) return expect(hitsOf(indexes, name, 'heron')).rejects.toThrow(IndexMissing);
    const hits = await hitsOf(indexes, name, 'heron', { limit: 100 });
    expect(hits.map(({ text }) => text).sort()).toEqual([...texts].sort());
  };
  for (const [at, { type, bot, generation }] of history.entries()) {
    const name = { botId: `${prefix}-${bot}`, generation: `g${generation}` };
    const key = `${name.botId}.${name.generation}`;
    const known = all.get(key) ?? { name, expected: none() };
    all.set(key, known);
    const { expected } = known;
    if (type === 'build' && !expected.isFinished) known.expected = { ...none(), builder: await indexes.build(name, lexicalOnly) };
    if (type === 'add' && expected.builder && expected.texts.length === 0) {
      expected.texts = [0, 1].map((index) => `heron ${key} ${at} ${index}`);
      await addTexts(expected.builder, ...expected.texts);
    }
    if (type === 'finish' && expected.builder) {
      await expected.builder.finish();
      known.expected = { ...expected, builder: null, isFinished: true };
    }
    if (type === 'abandon' && expected.builder) {
      await expected.builder.abandon();
      known.expected = none();
    }
    if (type === 'remove') {
      await indexes.remove(name);
      known.expected = none();
    }
    if (type === 'search') await check(name, known.expected);
  }
  for (const { name, expected } of all.values()) await check(name, expected);
}

describe('any history of builds, removals and searches', () => {
  it.each([
    ['SQLite', sqlitePlace, 30],
    ['LanceDB', lancePlace, 3],
    ['a small and a large adapter', () => sizedPlace(1), 3],
  ] as const)('never shows a chunk of another bot or of an unfinished index: %s', async (_, open, numRuns) => {
    const opened = await open();
    let run = 0;
    try {
      await fc.assert(
        fc.asyncProperty(histories, (history) => replay(opened.indexes, history, `r${run++}`)),
        { numRuns },
      );
    } finally {
      await opened.remove();
    }
  });
});
