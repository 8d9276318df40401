import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Config } from '@parlance/config';
import { LOGGER } from '@parlance/foundation';
import type { Logger } from '@parlance/observability';
import { needsVerifiedAddress } from '../domain/verified-address.ts';

/**
 * Users who sign up do not join groups that need a verified address. The setting is still valid, because users from OpenID Connect and
 * SCIM join these groups.
 */
@Injectable()
export class WarnOfAutoJoinOnStart implements OnApplicationBootstrap {
  constructor(
    private readonly config: Config,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  onApplicationBootstrap(): void {
    const groups = this.config.autoJoinUserGroups.filter((group) => needsVerifiedAddress(group));
    if (!this.config.selfSignUpEnabled || groups.length === 0) return;
    const advice = 'remove them from the setting, or add the users with confirm_unverified=true';
    this.log.warn({ groups }, `users who sign up do not join ${groups.join(', ')}, although autoJoinUserGroups names them: ${advice}`);
  }
}
