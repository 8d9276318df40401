import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ServiceDocuments } from '../adapters/service-documents.ts';

/** Services start in any order, and may have new routes after an upgrade, so their documents are fetched repeatedly. */
@Injectable()
export class LearnRoutesFromServices implements OnApplicationBootstrap {
  private rounds = 0;

  constructor(private readonly documents: ServiceDocuments) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.documents.learn();
  }

  /** Called twice a second. Fetches missing documents each time, and known ones every 30 seconds. */
  async learnAgain(): Promise<void> {
    if (this.documents.missing().length > 0 || ++this.rounds % 60 === 0) await this.documents.learn();
  }
}
