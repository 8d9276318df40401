import type { Parlance } from '@parlance/client';

/** The title of the bot that the product creates and pins at its first start. */
const TITLE = 'Parlance Guide';

/** The ID of the guide bot. Null if there is none, or if it cannot be read now: users should not have to wait for it. */
export async function guideBotId(api: Parlance['api']): Promise<string | null> {
  try {
    const { bots } = await api.get('/bot/pinned');
    return bots.find(({ title }) => title === TITLE)?.id ?? null;
  } catch {
    return null;
  }
}
