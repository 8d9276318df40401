import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { type KnowledgeSources, NO_SOURCES } from '../domain/knowledge/knowledge-sources.ts';
import { SourcesOf } from './knowledge/queries.ts';
import { OpenedTexts } from './opened-texts.ts';

/** Opens the sealed sources of bots. */
@Injectable()
export class OpenedSources {
  constructor(
    private readonly queries: QueryBus,
    private readonly texts: OpenedTexts,
  ) {}

  /** Null if the key of the bot is destroyed, because it is being deleted. */
  async of(botId: string): Promise<KnowledgeSources | null> {
    const sealed = await this.queries.execute(new SourcesOf(botId));
    if (sealed === null) return NO_SOURCES;
    const text = await this.texts.openNow(sealed);
    return text === null ? null : (JSON.parse(text) as KnowledgeSources);
  }
}
