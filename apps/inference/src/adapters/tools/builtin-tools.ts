import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Config } from '@parlance/config';
import { LOGGER } from '@parlance/foundation';
import { GuardedFetch } from '@parlance/guarded-fetch';
import { Calculator, InternetSearch, type ListedTool, type Tool, ToolSource } from '@parlance/tools';
import type { Logger } from 'pino';
import { BotKnowledge } from '../bot-knowledge.ts';
import { KnowledgeSearch } from './knowledge-search.ts';

/** The tools that are built into Parlance. */
@Injectable()
export class BuiltinTools extends ToolSource implements OnModuleDestroy {
  private readonly tools: readonly Tool[];
  private readonly fetch: GuardedFetch;

  constructor(bots: BotKnowledge, { internetSearch, fetchAllowedPrivateRanges }: Config, @Inject(LOGGER) log: Logger) {
    super();
    this.fetch = new GuardedFetch({ allowedPrivateRanges: fetchAllowedPrivateRanges });
    const search =
      internetSearch === null
        ? []
        : [
            new InternetSearch(internetSearch, this.fetch, (err) =>
              log.warn({ err }, 'an internet search failed; the model receives the failure as its result'),
            ),
          ];
    this.tools = [new Calculator(), new KnowledgeSearch(bots), ...search];
  }

  async onModuleDestroy(): Promise<void> {
    await this.fetch.close();
  }

  override async find(names: readonly string[]): Promise<readonly Tool[]> {
    return this.tools.filter(({ definition }) => names.includes(definition.name));
  }

  override async list(): Promise<readonly ListedTool[]> {
    return this.tools.map(({ definition: { name, description }, writes }) => ({ name, description, writes }));
  }
}
