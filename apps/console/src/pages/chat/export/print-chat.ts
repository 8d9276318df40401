import { queryClient } from '../../../api/query-client.ts';
import { conversationQuery, loadEarlier } from '../conversation/conversation-query.ts';

/** Pages of messages that are loaded for printing. */
const MOST_PAGES = 40;

/** Prints the open chat with its earlier messages. */
export async function printChat(id: string): Promise<void> {
  const { queryKey } = conversationQuery(id);
  for (let pages = 0; pages < MOST_PAGES && queryClient.getQueryData(queryKey)?.next_token; pages++) await loadEarlier(id);
  await drawn();
  globalThis.print();
}

/** Resolves when the page has drawn everything that is loaded, which many messages delay. */
const drawn = () =>
  new Promise<void>((resolve) => {
    // Safari has no idle callbacks.
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: 2_000 });
    else setTimeout(resolve, 500);
  });
