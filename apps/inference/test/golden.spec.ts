import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { differences, type GoldenCase, goldenCases, snapshotFields } from '@parlance/testing';
import { publishInference } from '../src/contracts/inference-events.ts';
import { catalogue } from '../src/domain/catalogue/catalogue.ts';
import { closedApi } from '../src/domain/closed-api.ts';
import { conversation } from '../src/domain/conversation.ts';
import { gatewayBatch } from '../src/domain/gateway/gateway-batch.ts';
import { gatewayFiles } from '../src/domain/gateway/gateway-files.ts';
import { openBatches } from '../src/domain/gateway/open-batches.ts';
import { heldSubject } from '../src/domain/holds/held-subject.ts';
import { knowledgeCharge } from '../src/domain/knowledge-charge.ts';
import { memory } from '../src/domain/memory/memory.ts';
import { modelCheck } from '../src/domain/checks/model-check.ts';
import { modelPrices } from '../src/domain/model-prices.ts';
import { ownExport } from '../src/domain/own-data/own-export.ts';
import { projects } from '../src/domain/projects/projects.ts';
import { restatements } from '../src/domain/restatement/restatement.ts';
import { retention } from '../src/domain/retention/retention.ts';
import { shares } from '../src/domain/shares/shares.ts';
import { toolConnection } from '../src/domain/tool-connection.ts';
import { readerOf } from '@parlance/foundation/golden';

const cases = goldenCases(new URL('./golden/', import.meta.url));

const reader = readerOf(
  {
    catalogue,
    closedapi: closedApi,
    conversation,
    gatewaybatch: gatewayBatch,
    gatewayfiles: gatewayFiles,
    holds: heldSubject,
    memory,
    modelcheck: modelCheck,
    modelprices: modelPrices,
    knowledgecharge: knowledgeCharge,
    openbatches: openBatches,
    ownexport: ownExport,
    projects,
    restatements,
    retention,
    shares,
    toolconnection: toolConnection,
  },
  publishInference,
);

/**
 * Until release 0.2 the state listed the ids of all messages. It counts them now. Until release 0.4 it forgot the replies that an erasure
 * interrupted. Until release 0.5 retention rules had no version, which is the number of their terms so far.
 */
function asOfToday(golden: GoldenCase): GoldenCase {
  const { ids, rules, ...state } = golden.state as { ids?: readonly string[]; rules?: Record<string, object> };
  const { unpaid } = reader.state(golden.stream, golden.events) as { unpaid?: object };
  const versionOf = (id: string) =>
    golden.events.filter(({ event }) => 'inactiveDays' in event && 'ruleId' in event && event.ruleId === id).length;
  const today = ([id, rule]: [string, object]) => [id, { kind: 'conversations', version: versionOf(id), ...rule }] as const;
  const later = {
    ...(rules && { rules: Object.fromEntries(Object.entries(rules).map(today)) }),
    ...(ids && { messages: ids.length }),
    ...(unpaid && golden.release < '0.5.0' && { unpaid }),
  };
  return { ...golden, state: { ...state, ...later } };
}

describe('streams that a release has written', () => {
  it.each(cases)('equal the recorded rows: $stream of $release', (golden) => {
    expect(differences(asOfToday(golden), reader)).toEqual([]);
  });
});

describe('snapshots of these streams', () => {
  it('have the recorded fields: a state with other fields needs another shape, which is then recorded', () => {
    expect(snapshotFields(cases, reader)).toEqual(JSON.parse(readFileSync(new URL('./snapshot-fields.json', import.meta.url), 'utf8')));
  });
});
