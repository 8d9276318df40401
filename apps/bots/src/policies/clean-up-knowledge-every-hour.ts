import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Timers } from '@parlance/foundation';
import { KnowledgeCleanUp } from '../workflows/knowledge-clean-up.ts';

const HOUR_MILLIS = 3_600_000;

/** See `KnowledgeCleanUp`. */
@Injectable()
export class CleanUpKnowledgeEveryHour implements OnApplicationBootstrap {
  constructor(
    private readonly cleanUp: KnowledgeCleanUp,
    private readonly timers: Timers,
  ) {}

  onApplicationBootstrap(): void {
    this.timers.every(HOUR_MILLIS, 'clean up knowledge', () => this.cleanUp.run());
  }
}
