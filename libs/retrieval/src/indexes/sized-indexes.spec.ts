import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { chunk, hitsOf, source, vectorial } from '../../test/content.ts';
import { knowledgeIndexesContract } from '../../test/contract.ts';
import { sizedPlace } from '../../test/places.ts';
import { SizedIndexes } from './sized-indexes.ts';

knowledgeIndexesContract('a small and a large adapter', () => sizedPlace());

describe('indexes by size', () => {
  const name = { botId: 'bot', generation: 'g' };
  let place: Awaited<ReturnType<typeof sizedPlace>>;
  beforeEach(async () => {
    place = await sizedPlace(3);
  });
  afterEach(() => place.remove());

  async function build(chunks: number, expectedChunks?: number) {
    const builder = await place.indexes.build(name, { ...vectorial, ...(expectedChunks !== undefined && { expectedChunks }) });
    const adding = Array.from({ length: chunks }, (_, at) =>
      builder.add(source(`s${at % 2}`), [chunk(`s${at % 2}`, at, 'a heron', { vector: [at, 1, 0, 0] })]),
    );
    await Promise.all(adding);
    return builder;
  }

  it.each([
    [3, undefined, 'small'],
    [4, undefined, 'large'],
    [3, 4, 'large'],
    [4, 3, 'large'],
  ] as const)('keeps %j chunks, of which %j were expected, in the %s adapter', async (chunks, expected, where) => {
    const builder = await build(chunks, expected);
    expect(await builder.finish()).toEqual({ sources: 2, chunks });
    const described = { small: await place.small.describe(name), large: await place.large.describe(name) };
    expect(described[where]).toMatchObject({ chunks, sources: 2, ...vectorial });
    expect(described[where === 'small' ? 'large' : 'small']).toBeNull();
    const [best] = await hitsOf(place.indexes, name, '', { vector: [1, 0, 0, 0], type: 'semantic', limit: 1 });
    expect(best!.ordinal).toBe(chunks - 1);
    expect(await place.indexes.list(null, 10)).toHaveLength(1);
  });

  it('copies from the small adapter into the large one, and back', async () => {
    await (await build(3)).finish();
    const larger = { botId: 'bot', generation: 'h' };
    const growing = await place.indexes.build(larger, vectorial);
    await growing.add(source('new'), [chunk('new', 0, 'a stork', { vector: [0, 0, 0, 1] })]);
    expect(await growing.copy(name, ['s0', 's1'])).toEqual({ sources: 2, chunks: 3 });
    await growing.finish();
    expect(await place.large.describe(larger)).toMatchObject({ chunks: 4 });
    const smaller = await place.indexes.build({ botId: 'bot', generation: 'i' }, vectorial);
    await smaller.copy(larger, ['new']);
    await smaller.finish();
    expect(await place.small.describe({ botId: 'bot', generation: 'i' })).toMatchObject({ chunks: 1 });
  });

  it.each(['small', 'large'] as const)('removes an index of the %s adapter when that is allowed', async (where) => {
    await (await build(where === 'small' ? 3 : 4)).finish();
    const { promise, resolve } = Promise.withResolvers<void>();
    const { small, large } = place;
    const indexes = new SizedIndexes({ small, large, limit: 3, removalAllowed: () => promise });
    const removal = indexes.remove(name);
    // A build of another index is not delayed.
    await (await indexes.build({ botId: 'bot', generation: 'h' }, vectorial)).abandon();
    expect(await place[where].describe(name)).not.toBeNull();
    resolve();
    await removal;
    expect(await indexes.describe(name)).toBeNull();
  });

  it('leaves nothing of a build that moved and was abandoned', async () => {
    const builder = await build(5);
    await builder.abandon();
    expect(await place.indexes.list(null, 10)).toEqual([]);
  });
});
