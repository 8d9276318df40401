import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { differences, goldenCases, snapshotFields } from '@parlance/testing';
import { publishAnalytics } from '../src/contracts/analytics-events.ts';
import { auditTrail } from '../src/domain/audit-trail.ts';
import { budget } from '../src/domain/budget.ts';
import { configuration } from '../src/domain/configuration.ts';
import { notificationReads } from '../src/domain/notification-reads.ts';
import { redrive } from '../src/domain/redrive.ts';
import { exporting } from '../src/domain/export.ts';
import { webhook } from '../src/domain/webhook.ts';
import { readerOf } from '@parlance/foundation/golden';

const cases = goldenCases(new URL('./golden/', import.meta.url));

const reader = readerOf(
  { audit: auditTrail((text) => text), budget, configuration, export: exporting, notifications: notificationReads, redrive, webhook },
  publishAnalytics,
);

describe('streams written by a release', () => {
  it.each(cases)('equal the recorded rows: $stream of $release', (golden) => {
    expect(differences(golden, reader)).toEqual([]);
  });
});

describe('snapshots of these streams', () => {
  it('have the recorded fields: a state with other fields needs another shape, which is then recorded', () => {
    expect(snapshotFields(cases, reader)).toEqual(JSON.parse(readFileSync(new URL('./snapshot-fields.json', import.meta.url), 'utf8')));
  });
});
