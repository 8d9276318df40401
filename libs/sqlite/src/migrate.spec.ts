import { describe, expect, it } from '@jest/globals';
import { file, keys, pairs, put } from '../test/pairs-file.ts';
import { NewerSchema } from './index.ts';

describe('migrating', () => {
  const longer = { ...pairs, steps: [...pairs.steps, "INSERT INTO pairs VALUES ('seed', 1); INSERT INTO pairs VALUES ('seed 2', 1)"] };

  it('runs each step once, even after steps are added', async () => {
    await file.migrate(pairs);
    await file.migrate(longer);
    await file.migrate(longer);
    expect(keys()).toEqual(['seed', 'seed 2']);
  });

  it('refuses a file that a newer program has written', async () => {
    await file.migrate(longer);
    await expect(file.migrate(pairs)).rejects.toThrow(NewerSchema);
    await expect(file.migrate(pairs)).rejects.toMatchObject({ module: 'pairs', found: 2, known: 1 });
  });

  it('runs a step atomically', async () => {
    const broken = { ...pairs, steps: [...pairs.steps, "INSERT INTO pairs VALUES ('seed', 1); INSERT INTO nowhere VALUES (1)"] };
    await expect(file.migrate(broken)).rejects.toThrow(/no such table: nowhere/);
    expect(keys()).toEqual([]);
    await file.migrate(longer);
  });

  it('tracks the modules of one file separately', async () => {
    await file.migrate({ module: 'other', steps: ['CREATE TABLE other (x)'] });
    expect(file.all('SELECT * FROM schema_steps ORDER BY module')).toEqual([
      { module: 'other', step: 1 },
      { module: 'pairs', step: 1 },
    ]);
  });

  it('runs after the writes that were requested before it', async () => {
    const before = file.write(put(['before', 1]));
    await file.migrate({ module: 'sweep', steps: ['DELETE FROM pairs'] });
    await before;
    expect(keys()).toEqual([]);
  });

  it('sorts in a file, while other writes sort in memory', async () => {
    const store = () => file.write((transaction) => transaction.get<{ temp_store: number }>('PRAGMA temp_store')!.temp_store);
    const steps = ['CREATE TEMP TABLE scratch (x)', "INSERT INTO pairs SELECT 'store', temp_store FROM pragma_temp_store"];
    const [before, , after] = await Promise.all([store(), file.migrate({ module: 'sorted', steps }), store()]);
    const during = file.get<{ value: number }>('SELECT value FROM pairs')!.value;
    // 1 means a file, and 2 means memory.
    expect([before, during, after]).toEqual([2, 1, 2]);
    await file.migrate({ module: 'more', steps: ['CREATE INDEX by_value ON pairs (value)'] });
  });
});
