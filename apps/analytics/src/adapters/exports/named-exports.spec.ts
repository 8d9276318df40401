import { describe, expect, it } from '@jest/globals';
import { named, released } from '@parlance/object-store';
import { exportStream } from '../../domain/export.ts';
import { ExportFiles } from './export-files.ts';
import { namedObjects } from './named-exports.ts';

describe('the objects that events of analytics name', () => {
  const stream = exportStream('2026010112');
  const key = new ExportFiles(null).keyOf('2026010112');

  it('are finished exports, until they are outdated, claimed or removed', () => {
    expect(namedObjects(stream, { type: 'ExportWritten', key } as never)).toEqual([named(key)]);
    for (const type of ['ExportOutdated', 'ExportClaimed', 'ExportReleased', 'ExportExpired'])
      expect(namedObjects(stream, { type })).toEqual([released(key)]);
  });
  it('are none in other streams', () => expect(namedObjects('budget-a', { type: 'BudgetSet' })).toEqual([]));
});
