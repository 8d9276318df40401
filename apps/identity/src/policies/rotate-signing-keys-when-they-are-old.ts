import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock, Timers } from '@parlance/foundation';
import { AccessTokens } from '../adapters/access-tokens.ts';

const HOUR_MILLIS = 3_600_000;

/** Limits the time for which a leaked signing key is valid. */
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
