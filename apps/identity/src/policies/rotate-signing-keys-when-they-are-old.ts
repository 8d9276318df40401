import type { OnApplicationBootstrap } from '@nestjs/common';
import type { Clock, Timers } from '@parlance/foundation';
import type { AccessTokens } from '../adapters/access-tokens.ts';

const hour = 3_600_000;

/** A key that leaks unnoticed is of use to the thief only for so long. */
export class RotateSigningKeysWhenTheyAreOld implements OnApplicationBootstrap {
  constructor(
    private readonly tokens: AccessTokens,
    private readonly clock: Clock,
    private readonly timers: Timers,
    private readonly everyDays: number,
  ) {}

  onApplicationBootstrap(): void {
    this.timers.every(hour, 'rotate signing keys', () => this.tokens.rotate(this.clock.now(), this.everyDays));
  }
}
