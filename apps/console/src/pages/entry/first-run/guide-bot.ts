import type { Parlance } from '@parlance/client';

/** The title of the bot that the product makes at its first start, and pins. */
const TITLE = 'Parlance Guide';

/** The ID of the guide bot. Null if there is none, or if it can't be found now: a user does not wait for it. */
export async function guideBotId(api: Parlance['api']): Promise<string | null> {
  try {
    const { bots } = await api.get('/bot/pinned');
    return bots.find(({ title }) => title === TITLE)?.id ?? null;
  } catch {
    return null;
  }
}
