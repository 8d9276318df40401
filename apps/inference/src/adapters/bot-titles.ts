import { Injectable } from '@nestjs/common';
import { HARMLESS, ServiceCalls } from '@parlance/calls';
import { Refusal } from '@parlance/decider';

/** Fetches titles of bots from the bots service, including deleted ones until their owners are erased. */
@Injectable()
export class BotTitles {
  constructor(private readonly calls: ServiceCalls) {}

  /** Titles by ID, of at most 1,000 bots. Empty while the bots service is unavailable, so that administrators can still read their lists. */
  async of(botIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (botIds.length === 0) return new Map();
    try {
      const body = { bot_ids: botIds };
      const { titles } = await this.calls.post<{ titles: Readonly<Record<string, string>> }>(
        'bots',
        '/internal/bots/titles',
        body,
        HARMLESS,
      );
      return new Map(Object.entries(titles));
    } catch (error) {
      if (error instanceof Refusal && error.kind === 'unavailable') return new Map();
      throw error;
    }
  }
}
