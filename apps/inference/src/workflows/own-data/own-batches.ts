import type { QueryBus } from '@nestjs/cqrs';
import { Instant } from '@parlance/decider';
import { isTurnOver, nextTurn } from '@parlance/event-loop';
import { GatewayBatchesOf, type GatewayBatchRow } from '../../projections/gateway/gateway-batches.ts';
import type { GatewayBatches } from '../gateway/gateway-batches.ts';

const BATCHES_AT_ONCE = 100;

interface Sources {
  readonly queries: QueryBus;
  readonly batches: Pick<GatewayBatches, 'metadataOf'>;
  /** Called before each page, and throws to stop. */
  readonly checkIn: () => Promise<void>;
}

/** The JSON of the batches that a user's programs have created, in parts, the newest first. Their requests and answers are files. */
export async function* ownBatches(
  userId: string,
  counted: { count: number },
  { queries, batches, checkIn }: Sources,
): AsyncGenerator<string> {
  let separator = '[\n';
  let after: string | null = null;
  do {
    await checkIn();
    const rows: readonly GatewayBatchRow[] = await queries.execute(new GatewayBatchesOf(userId, BATCHES_AT_ONCE, after));
    const page = rows.slice(0, BATCHES_AT_ONCE);
    for (const row of page) {
      if (isTurnOver()) await nextTurn();
      counted.count++;
      yield separator + JSON.stringify(shown(row, await batches.metadataOf(row)));
      separator = ',\n';
    }
    after = rows.length > BATCHES_AT_ONCE ? page.at(-1)!.batch_id : null;
  } while (after !== null);
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}

function shown(row: GatewayBatchRow, metadata: object | null): object {
  const { batch_id, token_id, endpoint, status, input_file_id, output_file_id, error_file_id, lines, completed, failed, errors } = row;
  const times = {
    create_time: Instant.toSeconds(row.created_at),
    end_time: row.ended_at === null ? null : Instant.toSeconds(row.ended_at),
  };
  const files = { input_file_id, output_file_id, error_file_id };
  return { batch_id, token_id, endpoint, status, ...times, ...files, requests: lines, completed, failed, errors, metadata };
}
