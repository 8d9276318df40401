import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { refuse } from '@parlance/decider';
import { Clock } from '@parlance/foundation';
import { FileStore } from '../adapters/file-store.ts';
import { ImportedBases } from '../adapters/imported-bases.ts';
import { ObjectLists } from '../adapters/object-lists.ts';
import { PageModels } from '../adapters/page-models.ts';
import { ExecuteDedicatedBases } from '../commands/aggregates.ts';
import type { KnowledgeBase } from '../domain/configuration.ts';
import type { KnowledgeSources } from '../domain/knowledge/knowledge-sources.ts';

/** The knowledge that a request changes. Undefined parts do not change. */
export interface RequestedKnowledge {
  readonly base: KnowledgeBase | undefined;
  /** The sources as JSON; empty without sources. */
  readonly sources: string | undefined;
}

/** Checks that this installation can read the knowledge before a bot is saved with it. */
@Injectable()
export class KnowledgeChecks {
  constructor(
    private readonly commands: CommandBus,
    private readonly clock: Clock,
    private readonly files: FileStore,
    private readonly imported: ImportedBases,
    private readonly lists: ObjectLists,
    private readonly pages: PageModels,
  ) {}

  /**
   * Throws the refusals `parsing_model_not_available`, `knowledge_base_not_found`, `object_store_not_configured` and `s3_url_not_allowed`
   * (invalid), and `knowledge_base_limit` (conflict). Reserves the slot of a dedicated knowledge base.
   */
  async require(botId: string, { base, sources }: RequestedKnowledge): Promise<void> {
    if (sources) this.requireSources(JSON.parse(sources) as KnowledgeSources);
    if (!base) return;
    if (base.parsing_model !== null) await this.requireModel(base.parsing_model);
    const existing = base.exist_knowledge_base_id;
    if (existing !== null && !this.imported.has(existing))
      throw refuse(
        'invalid',
        'knowledge_base_not_found',
        `There is no knowledge base ${existing}. An administrator configures them under retrievers.`,
        { errors: [{ path: 'bedrock_knowledge_base.exist_knowledge_base_id', message: 'must name a configured knowledge base' }] },
      );
    if (base.type === 'dedicated')
      await this.commands.execute(new ExecuteDedicatedBases({ type: 'Reserve', botId, now: this.clock.now() }));
  }

  private async requireModel(model: string): Promise<void> {
    const offered = await this.pages.offered();
    if (offered.includes(model)) return;
    const detail = `The model ${model} cannot read pages here. Models that read pages: ${offered.join(', ') || 'none'}.` as const;
    throw refuse('invalid', 'parsing_model_not_available', detail, {
      errors: [{ path: 'bedrock_knowledge_base.parsing_model', message: 'must be an available model that takes images' }],
    });
  }

  private requireSources({ s3_urls }: KnowledgeSources): void {
    // Indexes are stored in the same object store as the files.
    this.files.require();
    for (const url of s3_urls) {
      const fault = this.lists.faultOf(url);
      if (fault === null) continue;
      throw refuse('invalid', 's3_url_not_allowed', fault, { errors: [{ path: 'knowledge.s3_urls', message: `must not contain ${url}` }] });
    }
  }
}
