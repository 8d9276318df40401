import { idInStream } from '@parlance/event-store';
import { add, type At, type Change, type Cursor, type Page, patch, projection, type Query, remove, table } from '@parlance/read-models';
import { query } from '../../bus.ts';
import { type CallRecordEvent, partsOfCallRecordId } from '../../domain/calls/call-record.ts';

/** The sums of one record: the calls of one process with one token in one hour. The calls themselves are in its stream. */
export interface CallRecordRow {
  readonly record_id: string;
  readonly token_id: string;
  readonly user_id: string;
  /** As 2026-11-29T06. */
  readonly hour: string;
  /** The newest version of the stream with a call. */
  readonly version: number;
  /** Calls that have not ended. */
  readonly open: number;
  readonly calls: number;
  readonly nano_dollars: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
}

const callRecordRows = table<CallRecordRow>('call_records', {
  byOpen: ['open'],
  byHour: ['hour'],
  byUser: ['user_id', 'hour'],
  byToken: ['token_id', 'hour'],
});

const NOTHING = { open: 0, calls: 0, nano_dollars: 0, input_tokens: 0, output_tokens: 0 };

function counted({ stream, version }: At, userId: string, amounts: typeof NOTHING): Change[] {
  const record_id = idInStream(stream);
  const { tokenId, hour } = partsOfCallRecordId(record_id);
  const start = { record_id, token_id: tokenId, user_id: userId, hour, version };
  return [add(callRecordRows, record_id, amounts, start), patch(callRecordRows, record_id, { version })];
}

export const callRecords = projection<CallRecordEvent>({
  name: 'call-records',
  version: 1,
  tables: [callRecordRows],
  on: {
    CallsBegun: ({ calls }, at) => counted(at, calls[0]!.userId, { ...NOTHING, open: calls.length }),
    CallCompleted: ({ userId, usage, costNanoDollars }, at) =>
      counted(at, userId, {
        open: -1,
        calls: 1,
        nano_dollars: costNanoDollars,
        input_tokens: usage.inputTokens,
        output_tokens: usage.outputTokens,
      }),
    CallRecordExpired: (_, { stream }) => [remove(callRecordRows, idInStream(stream))],
  },
});

/** The most records in a page. */
export const RECORDS_PAGE = 50;

/** Records with open calls, of all processes. */
export const OpenCallRecords = query('OpenCallRecords', async (models, after: Cursor | null): Promise<Page<CallRecordRow>> =>
  models.find(callRecordRows, { index: 'byOpen', from: 1, limit: RECORDS_PAGE, ...(after && { after }) }),
);

export interface CallRecordsFilter {
  readonly userId: string | null;
  readonly tokenId: string | null;
  /** Inclusive hours. */
  readonly from: string;
  readonly to: string;
  /** The last record of the page before. */
  readonly after: Cursor | null;
  /** By default, the most records in a page. */
  readonly limit?: number;
}

/** Records of calls, the newest hour first. */
export const CallRecords = query(
  'CallRecords',
  async (models, { userId, tokenId, from, to, after, limit = RECORDS_PAGE }: CallRecordsFilter): Promise<Page<CallRecordRow>> => {
    const chosen: Pick<Query, 'index' | 'where'> =
      tokenId !== null
        ? { index: 'byToken', where: { token_id: tokenId } }
        : userId !== null
          ? { index: 'byUser', where: { user_id: userId } }
          : { index: 'byHour' };
    return models.find(callRecordRows, { ...chosen, from, to, order: 'desc', limit, ...(after && { after }) });
  },
);

/** Records of calls up to an hour, the oldest first. */
export const OldCallRecords = query('OldCallRecords', async (models, until: string, after: Cursor | null): Promise<Page<CallRecordRow>> =>
  models.find(callRecordRows, { index: 'byHour', to: until, limit: RECORDS_PAGE, ...(after && { after }) }),
);
