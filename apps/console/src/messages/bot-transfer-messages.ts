import { transfer } from './en/bots/transfer.ts';
import { hookOf } from './index.ts';

/** The texts about copies, exports and imports of bots, loaded with the first page of bots. */
export const useBotTransferMessages = hookOf('transfer', transfer);
