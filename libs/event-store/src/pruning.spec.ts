import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import { onSqlite } from '../test/contract/on-sqlite.ts';
import { metadata, saying } from '../test/contract/subject.ts';
import { forgetNamesBefore, positionAt } from './pruning.ts';

describe('forgetting names by age', () => {
  let subject: Awaited<ReturnType<typeof onSqlite>>;
  const at = (hour: number) => Instant.ofSeconds(hour * 3_600);

  beforeEach(async () => {
    subject = await onSqlite();
    for (let hour = 0; hour < 9; hour++) {
      await subject.store.append(saying('', { expected: hour, once: `hour ${hour}`, metadata: { ...metadata, at: at(hour) } }));
    }
  });
  afterEach(() => subject.end());

  it('finds the first commit that is not older than an instant', async () => {
    const found = await Promise.all([-1, 0, 0.5, 4, 8, 9].map((hour) => positionAt(subject.store, at(hour))));
    expect(found).toEqual([1, 1, 2, 5, 9, 10]);
  });

  it('keeps the names of younger commits', async () => {
    await forgetNamesBefore(subject.store, at(6));
    const names = Array.from({ length: 9 }, (_, hour) => `hour ${hour}`);
    expect((await subject.store.earlier(names)).map(({ name }) => name)).toEqual(['hour 6', 'hour 7', 'hour 8']);
  });

  it('continues until all names are deleted, a bounded number at a time', async () => {
    const more = Array.from({ length: 1_200 }, (_, i) => `name ${i}`);
    await subject.store.append(saying('', { expected: 9, once: more, metadata: { ...metadata, at: at(9) } }));
    expect(await subject.store.pruneOnce(11)).toBe(true);
    expect((await subject.store.earlier(more)).length).toBeGreaterThan(600);
    await forgetNamesBefore(subject.store, at(10));
    expect(await subject.store.earlier(more)).toEqual([]);
  });
});
