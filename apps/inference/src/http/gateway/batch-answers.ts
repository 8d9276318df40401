import { Instant } from '@parlance/decider';
import { ULID_PATTERN } from '@parlance/http';
import { component } from '@parlance/openapi';
import { batchNotFound } from '../../domain/gateway/gateway-batch.ts';
import type { BatchStatus, GatewayBatchRow } from '../../projections/gateway/gateway-batches.ts';
import type { Metadata } from '../../workflows/gateway/running-batches.ts';
import { fileIdOf, listOf } from './file-answers.ts';
import { unknownAfter } from './unknown-after.ts';

export interface BatchAnswer {
  readonly id: string;
  readonly object: 'batch';
  readonly endpoint: string;
  readonly errors: {
    readonly object: 'list';
    readonly data: readonly { readonly code: string; readonly message: string; readonly line: number | null; readonly param: null }[];
  } | null;
  readonly input_file_id: string;
  readonly completion_window: '24h';
  readonly status: BatchStatus;
  readonly output_file_id: string | null;
  readonly error_file_id: string | null;
  readonly created_at: number;
  readonly in_progress_at: number | null;
  readonly expires_at: number;
  readonly finalizing_at: number | null;
  readonly completed_at: number | null;
  readonly failed_at: number | null;
  readonly expired_at: number | null;
  readonly cancelling_at: number | null;
  readonly cancelled_at: number | null;
  readonly request_counts: { readonly total: number; readonly completed: number; readonly failed: number };
  readonly metadata: Metadata | null;
}

const STATUSES = ['validating', 'in_progress', 'finalizing', 'completed', 'failed', 'expired', 'cancelling', 'cancelled'] as const;
const BATCH_ID = new RegExp(`^batch_(${ULID_PATTERN.slice(1, -1)})$`);
const text = { type: 'string' } as const;
const textOrNull = { type: ['string', 'null'] } as const;
const time = { type: 'integer', description: 'In epoch seconds.' } as const;
const timeOrNull = { type: ['integer', 'null'], description: 'In epoch seconds.' } as const;
const count = { type: 'integer' } as const;
const TIMES = ['in_progress_at', 'finalizing_at', 'completed_at', 'failed_at', 'expired_at', 'cancelling_at', 'cancelled_at'] as const;

const ERROR = {
  type: 'object',
  required: ['code', 'message', 'line', 'param'],
  properties: {
    code: text,
    message: text,
    line: { type: ['integer', 'null'], description: 'The first line is 1.' },
    param: { type: 'null' },
  },
};

const PROPERTIES = {
  id: { ...text, examples: ['batch_01K0000000000000000000000B'] },
  object: { const: 'batch' },
  endpoint: { ...text, examples: ['/v1/chat/completions'] },
  errors: {
    type: ['object', 'null'],
    description: 'Why the batch failed.',
    required: ['object', 'data'],
    properties: { object: { const: 'list' }, data: { type: 'array', items: ERROR } },
  },
  input_file_id: text,
  completion_window: { const: '24h' },
  status: { enum: STATUSES },
  output_file_id: { ...textOrNull, description: 'The file with the answers.' },
  error_file_id: { ...textOrNull, description: 'The file with the requests that have failed, or were not sent.' },
  created_at: time,
  expires_at: time,
  ...Object.fromEntries(TIMES.map((name) => [name, timeOrNull])),
  request_counts: {
    type: 'object',
    required: ['total', 'completed', 'failed'],
    properties: { total: count, completed: count, failed: count },
  },
  metadata: { type: ['object', 'null'], additionalProperties: text },
};

export const BATCH = component('GatewayBatch', { type: 'object', required: Object.keys(PROPERTIES), properties: PROPERTIES });
export const BATCH_LIST = listOf('GatewayBatchList', BATCH);

/** The ID within a batch's ID. Throws `batch_not_found` (missing) for another text. */
export function idInBatchId(id: string): string {
  const [, found] = BATCH_ID.exec(id) ?? [];
  if (found === undefined) throw batchNotFound();
  return found;
}

/** As `idInBatchId`, for the parameter `after`. Throws `invalid_query` (invalid). */
export function batchIdInAfter(after: string | undefined): string | null {
  if (after === undefined) return null;
  const [, found] = BATCH_ID.exec(after) ?? [];
  if (found === undefined) throw unknownAfter('a batch');
  return found;
}

const seconds = (at: Instant | null): number | null => (at === null ? null : Instant.toSeconds(at));

export function batchAnswer(row: GatewayBatchRow, metadata: Metadata | null): BatchAnswer {
  const endedAs = (status: BatchStatus) => (row.status === status ? seconds(row.ended_at) : null);
  return {
    id: `batch_${row.batch_id}`,
    object: 'batch',
    endpoint: `/v1/${row.endpoint}`,
    errors: row.errors.length === 0 ? null : { object: 'list', data: row.errors.map((error) => ({ ...error, param: null })) },
    input_file_id: fileIdOf(row.input_file_id),
    completion_window: '24h',
    status: row.status,
    output_file_id: row.output_file_id && fileIdOf(row.output_file_id),
    error_file_id: row.error_file_id && fileIdOf(row.error_file_id),
    created_at: Instant.toSeconds(row.created_at),
    in_progress_at: seconds(row.in_progress_at),
    expires_at: Instant.toSeconds(row.expires_at),
    finalizing_at: seconds(row.finalizing_at),
    completed_at: endedAs('completed'),
    failed_at: endedAs('failed'),
    expired_at: endedAs('expired'),
    cancelling_at: seconds(row.cancelling_at),
    cancelled_at: endedAs('cancelled'),
    request_counts: { total: row.lines, completed: row.completed, failed: row.failed },
    metadata,
  };
}
