import type { GlobalConfig } from '@parlance/client/types';

const PAUSE_MILLIS = 500;
/** Every replica offers a new model within two seconds. */
const MOST_READS = 8;

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, PAUSE_MILLIS));

/** Waits until chats offer a new model: the request may reach a replica that does not know it yet. Gives up after a few seconds. */
export async function untilOffered(
  modelId: string,
  read: () => Promise<Pick<GlobalConfig, 'global_available_models'>>,
  wait: () => Promise<void> = pause,
): Promise<boolean> {
  for (let reads = 1; ; reads++) {
    const { global_available_models: models } = await read();
    if (models.some(({ id, available }) => id === modelId && available)) return true;
    if (reads === MOST_READS) return false;
    await wait();
  }
}
