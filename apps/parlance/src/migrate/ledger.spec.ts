import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Ledger, REPORT } from './ledger.ts';

describe('the report of a migration', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'parlance-ledger-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const lines = () => readFileSync(join(directory, REPORT), 'utf8').split('\n').length - 1;
  const opened = <Result>(use: (ledger: Ledger) => Result): Result => {
    const ledger = Ledger.open(directory);
    try {
      return use(ledger);
    } finally {
      ledger.close();
    }
  };
  const leave = (ledger: Ledger, count: number) => {
    for (let line = 1; line <= count; line++) ledger.leave({ kind: 'conversation', file: 'f', line, id: 'c', reason: 'r' });
  };

  it('is written during the run', () => opened((ledger) => (leave(ledger, 2_500), expect(lines()).toBe(2_000))));
  it('is cut off where the progress of a killed run ends', () => {
    opened((ledger) => {
      leave(ledger, 10);
      ledger.reached({ file: 'f', line: 10 });
      leave(ledger, 1_500);
    });
    expect(lines()).toBe(1_010);
    opened((ledger) => expect([lines(), ledger.reasons, ledger.resumesAfter]).toEqual([10, { r: 10 }, { file: 'f', line: 10 }]));
  });
});
