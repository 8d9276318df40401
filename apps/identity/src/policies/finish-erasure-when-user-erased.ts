import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { UserErased } from '@parlance/contracts';
import type { CloudEvent } from '@parlance/messaging';
import { Erasure } from '../workflows/erasure.ts';

/** Finishes an erasure that a crash interrupted. This policy listens to the service's own topic. */
@Controller()
export class FinishErasureWhenUserErased {
  constructor(private readonly erasure: Erasure) {}

  @EventPattern(UserErased.type)
  async on(@Payload() event: CloudEvent<UserErased>) {
    await this.erasure.finishInIdentity(event.data.user_id);
  }
}
