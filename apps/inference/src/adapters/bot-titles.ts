import { Injectable } from '@nestjs/common';
import { ServiceCalls } from '@parlance/calls';
import { Refusal } from '@parlance/decider';

/** Asks the bots service for titles of bots, also of deleted ones until their owners are erased. */
@Injectable()
export class BotTitles {
  constructor(private readonly calls: ServiceCalls) {}

  /** By ID, of at most 1,000 bots. None while the bots service is unavailable: lists of administrators are readable then too. */
  async of(botIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (botIds.length === 0) return new Map();
    try {
      const asked = { bot_ids: botIds };
      const { titles } = await this.calls.post<{ titles: Readonly<Record<string, string>> }>('bots', '/internal/bots/titles', asked);
      return new Map(Object.entries(titles));
    } catch (error) {
      if (error instanceof Refusal && error.kind === 'unavailable') return new Map();
      throw error;
    }
  }
}
