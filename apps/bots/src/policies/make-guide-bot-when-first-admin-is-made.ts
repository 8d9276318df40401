import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { ServiceCalls } from '@parlance/calls';
import { Config } from '@parlance/config';
import { UserRegistered } from '@parlance/contracts';
import type { CloudEvent } from '@parlance/messaging';
import { ADMIN_GROUP } from '../domain/sharing.ts';
import { GuideBot } from '../workflows/guide-bot.ts';

/** Creates the guide bot of a new installation, only for its first Admin. */
@Controller()
export class MakeGuideBotWhenFirstAdminIsMade {
  constructor(
    private readonly calls: ServiceCalls,
    private readonly guide: GuideBot,
    private readonly config: Config,
  ) {}

  @EventPattern(UserRegistered.type)
  async on(@Payload() { data: { user_id, groups } }: CloudEvent<UserRegistered>) {
    if (!this.config.guideBot || !groups.includes(ADMIN_GROUP)) return;
    // Only identity knows which Admin was the first: events of two users can arrive in any order.
    const first = await this.calls.get<{ user_id: string | null }>('identity', '/internal/users/first-admin');
    if (first.user_id === user_id) await this.guide.make(user_id);
  }
}
