import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Timers } from '@parlance/foundation';
import { ServiceDocuments } from '../adapters/service-documents.ts';

/** Services come up in any order, and come back with new routes after an upgrade: so they are asked again and again. */
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
      // What is missing is asked for twice a second, what is known every half minute.
      if (this.documents.missing().length > 0 || ++this.rounds % 60 === 0) await this.documents.learn();
    });
  }
}
