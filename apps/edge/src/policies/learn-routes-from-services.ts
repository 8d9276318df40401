import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ServiceDocuments } from '../adapters/service-documents.ts';

/** Fetches the documents of services repeatedly, because services start in any order, and may have new routes after an upgrade. */
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
