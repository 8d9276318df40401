import { describe, expect, it } from '@jest/globals';
import { HeldShare } from './held-share.ts';
import { afterReport } from './share.ts';

describe('a share', () => {
  it('counts at most the lent amount as used and returned, whatever is reported', () =>
    expect(afterReport({ granted: 5, used: 0, returned: 0 }, { used: 9, returned: 9 })).toEqual({ granted: 5, used: 5, returned: 0 }));
  it('ignores a report that is older than the last one', () => {
    const share = { granted: 9, used: 5, returned: 3 };
    expect(afterReport(share, { used: 2, returned: 1 })).toEqual(share);
  });
});

describe('a share in the memory of its process', () => {
  it('keeps the lent amount when an earlier answer arrives late', () => {
    const share = new HeldShare();
    share.lent(7);
    share.lent(3);
    expect(share.available).toBe(7);
  });
  it('returns nothing if it has less than it may keep', () => {
    const share = new HeldShare();
    share.lent(2);
    share.keepOnly(5);
    expect([share.available, share.report.returned]).toEqual([2, 0]);
  });
});
