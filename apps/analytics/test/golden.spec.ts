import { describe, expect, it } from '@jest/globals';
import { differences, goldenCases } from '@parlance/testing';
import { publishAnalytics } from '../src/contracts/analytics-events.ts';
import { auditTrail } from '../src/domain/audit-trail.ts';
import { budget } from '../src/domain/budget.ts';
import { configuration } from '../src/domain/configuration.ts';
import { redrive } from '../src/domain/redrive.ts';
import { exporting } from '../src/domain/export.ts';
import { webhook } from '../src/domain/webhook.ts';
import { readerOf } from '@parlance/foundation/golden';

const reader = readerOf(
  { audit: auditTrail((text) => text), budget, configuration, export: exporting, redrive, webhook },
  publishAnalytics,
);

describe('streams written by a release', () => {
  it.each(goldenCases(new URL('./golden/', import.meta.url)))('equal the recorded rows: $stream of $release', (golden) => {
    expect(differences(golden, reader)).toEqual([]);
  });
});
