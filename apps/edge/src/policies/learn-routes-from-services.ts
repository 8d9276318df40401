import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Timers } from '@parlance/foundation';
import { ServiceDocuments } from '../adapters/service-documents.ts';

/** Services start in any order, and may have new routes after an upgrade, so their documents are fetched repeatedly. */
@Injectable()
export class LearnRoutesFromServices implements OnApplicationBootstrap {
  private rounds = 0;

  constructor(
    private readonly documents: ServiceDocuments,
    private readonly timers: Timers,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.documents.learn();
    this.timers.every(500, 'learn routes', async () => {
      // Missing documents are fetched twice a second, known ones every 30 seconds.
      if (this.documents.missing().length > 0 || ++this.rounds % 60 === 0) await this.documents.learn();
    });
  }
}
