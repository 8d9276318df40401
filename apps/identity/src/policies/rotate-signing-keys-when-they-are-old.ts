import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock, Timers } from '@parlance/foundation';
import { AccessTokens } from '../adapters/access-tokens.ts';

const HOUR_MILLIS = 3_600_000;

/** A key that leaks unnoticed is of use to the thief only for so long. */
@Injectable()
export class RotateSigningKeysWhenTheyAreOld implements OnApplicationBootstrap {
  constructor(
    private readonly tokens: AccessTokens,
    private readonly clock: Clock,
    private readonly timers: Timers,
  ) {}

  onApplicationBootstrap(): void {
    this.timers.every(HOUR_MILLIS, 'rotate signing keys', () => this.tokens.rotate(this.clock.now()));
  }
}
