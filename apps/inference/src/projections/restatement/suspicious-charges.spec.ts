import { describe, expect, it } from '@jest/globals';
import { firstIdAt } from '@parlance/event-store';
import { suspiciousCharges } from './suspicious-charges.ts';

describe('suspicious charges', () => {
  it('are kept as long as hourly figures: for the current month and the 13 months before it', () => {
    const rows = suspiciousCharges.outdated!('2026-11-28T10:00:00.000Z')[0]!;
    const isRemoved = (time: string) => 'key' in rows && `${firstIdAt(Date.parse(time))}0123456789ABCDEF` < rows.key;
    expect([isRemoved('2025-09-30T23:59:59.999Z'), isRemoved('2025-10-01T00:00:00Z')]).toEqual([true, false]);
  });
});
