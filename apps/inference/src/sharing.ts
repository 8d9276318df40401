import { AdminSharesController } from './http/shares/admin-shares.controller.ts';
import { ShareLists } from './http/shares/share-lists.ts';
import { SharedController } from './http/shares/shared.controller.ts';
import { OwnSharesController, SharesController } from './http/shares/shares.controller.ts';
import { DestroyKeysOfSharesThatEnded } from './policies/destroy-keys-of-shares-that-ended.ts';
import { EndSharesWhenTheyExpire } from './policies/end-shares-when-they-expire.ts';
import { ConversationShares } from './workflows/shares/conversation-shares.ts';
import { SharedConversations } from './workflows/shares/shared-conversations.ts';
import { Snapshots } from './workflows/shares/snapshot.ts';

/** The parts of the module that share conversations. */
export const sharing = {
  controllers: [SharesController, OwnSharesController, SharedController, AdminSharesController, DestroyKeysOfSharesThatEnded],
  providers: [Snapshots, ConversationShares, SharedConversations, ShareLists, EndSharesWhenTheyExpire],
};
