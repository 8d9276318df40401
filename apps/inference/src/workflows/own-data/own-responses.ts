import type { QueryBus } from '@nestjs/cqrs';
import type { Cursor, Page } from '@parlance/read-models';
import { ResponsesOf, type StoredResponseRow } from '../../projections/responses/stored-responses.ts';
import { type StoredResponses, shownResponseId } from '../calls/stored/stored-responses.ts';

interface Sources {
  readonly queries: QueryBus;
  readonly responses: Pick<StoredResponses, 'find'>;
}

/** The JSON of the responses that a user's programs have stored, in parts. `checkIn` is called before each one, and throws to stop. */
export async function* ownResponses(
  { queries, responses }: Sources,
  userId: string,
  counted: { count: number },
  checkIn: () => Promise<void>,
): AsyncGenerator<string> {
  let separator = '[\n';
  let after: Cursor | null = null;
  do {
    await checkIn();
    const page: Page<StoredResponseRow> = await queries.execute(new ResponsesOf(userId, after));
    for (const { response_id } of page.rows) {
      await checkIn();
      const content = await responses.find(response_id, userId);
      // Deleted in the meantime.
      if (!content) continue;
      counted.count++;
      yield separator + JSON.stringify({ id: shownResponseId(response_id), ...content });
      separator = ',\n';
    }
    after = page.next;
  } while (after !== null);
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}
