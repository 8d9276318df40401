import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Timers } from '@parlance/foundation';
import { RecentRequests, REPEATABLE_MILLIS } from '../http/published/recent-requests.ts';

/** Requests that clients could repeat are forgotten after a minute, also where no further request comes. */
@Injectable()
export class ForgetRequestsThatNoClientRepeats implements OnApplicationBootstrap {
  constructor(
    private readonly recent: RecentRequests,
    private readonly timers: Timers,
  ) {}

  onApplicationBootstrap(): void {
    this.timers.every(REPEATABLE_MILLIS, 'forget requests that no client repeats', async () => this.recent.forgetOld());
  }
}
