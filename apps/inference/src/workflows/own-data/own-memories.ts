import type { QueryBus } from '@nestjs/cqrs';
import { type Sealed, Vault } from '@parlance/privacy';
import type { Cursor, Page } from '@parlance/read-models';
import { MemoriesOf, type MemoryRow } from '../../projections/memory/memories.ts';

/** Entries of one page. Each has up to 500 characters. */
const MEMORIES_AT_ONCE = 100;

/** The JSON of the entries of a user's memory, in parts. `checkIn` is called before each page, and throws to stop. */
export async function* ownMemories(
  { queries, vault }: { readonly queries: QueryBus; readonly vault: Vault },
  userId: string,
  checkIn: () => Promise<void>,
): AsyncGenerator<string> {
  let separator = '[\n';
  let after: Cursor | null = null;
  do {
    await checkIn();
    const page: Page<MemoryRow> = await queries.execute(new MemoriesOf(userId, MEMORIES_AT_ONCE, after));
    for (const { memory_id, text: sealed, conversation_id, message_id, created_at: create_time } of page.rows) {
      const text = await vault.open(sealed as Sealed);
      // Removed in the meantime.
      if (text === null) continue;
      yield separator + JSON.stringify({ memory_id, text, conversation_id, message_id, create_time });
      separator = ',\n';
    }
    after = page.next;
  } while (after !== null);
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}
