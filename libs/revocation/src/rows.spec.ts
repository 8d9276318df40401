import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { projection } from '@parlance/read-models';
import { openSqliteReadModels } from '@parlance/read-models/sqlite';
import { openSqliteFile } from '@parlance/sqlite';
import { FOREVER, lift, outdatedRevocations, revocationRows, revoke } from './rows.ts';

it('forgets revocations 30 days after their end, but none without an end and none that was lifted', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'revocations-'));
  const file = await openSqliteFile(join(directory, 'rows.db'));
  try {
    const models = await openSqliteReadModels(file);
    const mine = projection({ name: 'mine', version: 1, tables: [revocationRows], on: {} });
    await models.prepare([mine]);
    const ended = Date.parse('2026-01-01T00:00:00Z');
    const changes = [revoke('old', 1, ended - 1), revoke('recent', 2, ended + 1), revoke('user', 3, FOREVER), lift('lifted', 4)];
    await models.apply({ from: await models.progress('mine'), steps: [{ to: '4', changes }], reached: 1 });
    for (const rows of outdatedRevocations('2026-01-31T00:00:00Z'))
      if ('index' in rows) await models.removeUpTo(rows.table, rows.index, rows.upTo);
    expect((await models.find(revocationRows, { index: 'key', limit: 5 })).keys).toEqual(['lifted', 'recent', 'user']);
  } finally {
    await file.close();
    await rm(directory, { recursive: true });
  }
});
