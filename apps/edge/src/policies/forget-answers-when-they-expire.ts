import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Timers } from '@parlance/foundation';
import { AnswerSeals } from '../http/idempotency/answer-seals.ts';

const HOUR = 60 * 60 * 1000;

/** An answer to a request with an Idempotency-Key is replayed for a day. After that it cannot be read any more. */
@Injectable()
export class ForgetAnswersWhenTheyExpire implements OnApplicationBootstrap {
  constructor(
    private readonly seals: AnswerSeals,
    private readonly timers: Timers,
  ) {}

  onApplicationBootstrap(): void {
    this.timers.every(HOUR, 'forget answers', async () => void (await this.seals.destroyExpired()));
  }
}
