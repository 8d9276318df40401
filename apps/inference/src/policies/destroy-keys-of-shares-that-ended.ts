import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { ShareRevoked } from '@parlance/contracts';
import type { CloudEvent } from '@parlance/messaging';
import { ConversationShares } from '../workflows/shares/conversation-shares.ts';

/** Destroys the key of a revoked share's snapshot, in case the request that revoked the share was interrupted before it did. */
@Controller()
export class DestroyKeysOfSharesThatEnded {
  constructor(private readonly shares: ConversationShares) {}

  @EventPattern(ShareRevoked.type)
  async on(@Payload() { data: { user_id, share_id } }: CloudEvent<ShareRevoked>): Promise<void> {
    await this.shares.destroyKey(user_id, share_id);
  }
}
