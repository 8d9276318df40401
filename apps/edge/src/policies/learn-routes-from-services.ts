import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Config } from '@parlance/config';
import { Clock } from '@parlance/foundation';
import { ServiceDocuments } from '../adapters/service-documents.ts';

/** How often known documents of services in other processes are fetched again, because a service may have new routes after an upgrade. */
const AGAIN_MILLIS = 30_000;

/** Fetches the documents of services repeatedly, because services start in any order. */
@Injectable()
export class LearnRoutesFromServices implements OnApplicationBootstrap {
  private readonly mayChange: boolean;
  private learntAt = 0;

  constructor(
    private readonly documents: ServiceDocuments,
    private readonly clock: Clock,
    { services }: Config,
  ) {
    this.mayChange = Object.keys(services).length > 0;
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.learn();
  }

  /** Whether no document is missing. */
  get hasAll(): boolean {
    return this.documents.missing().length === 0;
  }

  /** Called twice a second while a document is missing. */
  async learnAgain(): Promise<void> {
    if (!this.hasAll || (this.mayChange && this.clock.steady() - this.learntAt >= AGAIN_MILLIS)) await this.learn();
  }

  private async learn(): Promise<void> {
    this.learntAt = this.clock.steady();
    await this.documents.learn();
  }
}
