import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Config } from '@parlance/config';
import { Timers } from '@parlance/foundation';
import { KnowledgeCleanUp } from '../workflows/knowledge-clean-up.ts';

const MINUTE_MILLIS = 60_000;

/** See `KnowledgeCleanUp`. */
@Injectable()
export class CleanUpKnowledgeAtIntervals implements OnApplicationBootstrap {
  constructor(
    private readonly cleanUp: KnowledgeCleanUp,
    private readonly timers: Timers,
    private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    this.timers.every(this.config.knowledgeCleanUpMinutes * MINUTE_MILLIS, 'clean up knowledge', () => this.cleanUp.run());
  }
}
