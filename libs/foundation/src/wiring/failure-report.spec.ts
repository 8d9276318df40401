import { describe, expect, it } from '@jest/globals';
import { SteadyReports } from '@parlance/messaging';
import { failureReport } from './failure-report.ts';

describe('failures of read models and of the relay', () => {
  it('are logged once in ten seconds while they are retried, and always when a read model stops', () => {
    let now = 0;
    const lines: unknown[][] = [];
    const outages = new SteadyReports(() => now);
    const report = failureReport({ error: (...line: unknown[]) => void lines.push(line) }, outages);
    const retried = { projection: 'known-budgets', error: 'away', stopped: false };
    const stopped = { projection: 'spend', error: 'poison', stopped: true };
    for (let second = 0; second <= 10; second++) {
      now = second * 1_000;
      report(retried);
      if (second === 3) report(stopped);
    }
    const again = 'a read model or the relay failed and will be retried';
    expect(lines).toEqual([
      [{ failure: retried }, again],
      [{ failure: stopped }, 'a read model has stopped'],
      [{ failure: retried, left_out: 9 }, again],
    ]);
  });
});
