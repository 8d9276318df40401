import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { UserErased } from '@parlance/contracts';
import type { CloudEvent } from '@parlance/messaging';
import { Erasure } from '../workflows/erasure.ts';

/** Listens to the service's own topic: an erasure that was cut off by a crash is taken up by another process. */
@Controller()
export class FinishErasureWhenUserErased {
  constructor(private readonly erasure: Erasure) {}

  @EventPattern(UserErased.type)
  async on(@Payload() event: CloudEvent<UserErased>) {
    await this.erasure.finishInIdentity(event.data.user_id);
  }
}
