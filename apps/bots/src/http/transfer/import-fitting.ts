import { Injectable } from '@nestjs/common';
import { FileStore } from '../../adapters/file-store.ts';
import { ImportedBases } from '../../adapters/imported-bases.ts';
import { InstallationOffers, type Offers, offersTool } from '../../adapters/installation-offers.ts';
import { ObjectLists } from '../../adapters/object-lists.ts';
import { withApprovals } from '../../domain/configuration.ts';
import { hasSources, NO_SOURCES } from '../../domain/knowledge/knowledge-sources.ts';
import type { LeftOut, LeftOutReason } from './answers.ts';
import { type PlainConfiguration, sourcesIn } from './bot-file.ts';

export interface Fitted {
  readonly configuration: PlainConfiguration;
  readonly leftOut: readonly LeftOut[];
}

const DETAILS = {
  unknown_model: 'This installation does not offer the model.',
  tool_not_available: 'This installation has neither the tool nor its server.',
  knowledge_base_not_found: 'This installation has no knowledge base with this ID. The bot gets a shared one.',
  parsing_model_not_available: 'This installation does not offer this model for reading pages. Pages are read without a model.',
  s3_url_not_allowed: 'This installation is not allowed to read this location.',
  object_store_not_configured: 'This installation has no object store, so it cannot store knowledge.',
  file_missing: 'The file is neither in the archive nor uploaded.',
  checksum_mismatch: 'The content of the file differs from the exported file.',
  file_too_large: 'The file is larger than this installation allows.',
} as const satisfies Record<LeftOutReason, string>;

export const leftOut = (field: string, value: string, reason: LeftOutReason): LeftOut => ({
  field,
  value,
  reason,
  detail: DETAILS[reason],
});

/** Leaves out models, tools and sources that this installation does not have. */
@Injectable()
export class ImportFitting {
  constructor(
    private readonly offers: InstallationOffers,
    private readonly files: FileStore,
    private readonly bases: ImportedBases,
    private readonly lists: ObjectLists,
  ) {}

  /** Fits everything except the files. */
  async fitted(configuration: PlainConfiguration): Promise<Fitted> {
    const offers = await this.offers.current();
    const models = modelsOffered(configuration, offers);
    const sources = this.sourcesAllowed(models.configuration);
    return {
      configuration: this.baseThere(sources, offers),
      leftOut: [...models.leftOut, ...this.baseFaults(configuration, offers), ...sources.leftOut],
    };
  }

  private baseFaults({ settings: { bedrock_knowledge_base: base } }: PlainConfiguration, { page_models = [] }: Offers): readonly LeftOut[] {
    const { exist_knowledge_base_id: existing, parsing_model: model } = base;
    const path = 'bedrock_knowledge_base';
    return [
      ...(existing === null || this.bases.has(existing)
        ? []
        : [leftOut(`${path}.exist_knowledge_base_id`, existing, 'knowledge_base_not_found')]),
      ...(model === null || page_models.includes(model) ? [] : [leftOut(`${path}.parsing_model`, model, 'parsing_model_not_available')]),
    ];
  }

  private baseThere({ configuration: { texts, settings } }: Fitted, { page_models = [] }: Offers): PlainConfiguration {
    const { bedrock_knowledge_base: base } = settings;
    const model = base.parsing_model;
    const isThere = base.exist_knowledge_base_id === null || this.bases.has(base.exist_knowledge_base_id);
    const fittedBase = isThere ? base : { ...base, exist_knowledge_base_id: null, type: 'shared' as const };
    return {
      texts,
      settings: {
        ...settings,
        bedrock_knowledge_base: { ...fittedBase, parsing_model: model !== null && page_models.includes(model) ? model : null },
      },
    };
  }

  private sourcesAllowed({ texts, settings }: PlainConfiguration): Fitted {
    const sources = sourcesIn(texts);
    if (!this.files.isConfigured) {
      const all = Object.entries(sources).flatMap(([list, values]: [string, readonly string[]]) =>
        values.map((value) => leftOut(list === 'filenames' ? 'files' : `knowledge.${list}`, value, 'object_store_not_configured')),
      );
      return { configuration: withSources({ texts, settings }, NO_SOURCES), leftOut: all };
    }
    const refused = sources.s3_urls.filter((url) => this.lists.faultOf(url) !== null);
    const s3_urls = sources.s3_urls.filter((url) => !refused.includes(url));
    return {
      configuration: withSources({ texts, settings }, { ...sources, s3_urls }),
      leftOut: refused.map((url) => leftOut('knowledge.s3_urls', url, 's3_url_not_allowed')),
    };
  }
}

export function withSources({ texts, settings }: PlainConfiguration, sources: ReturnType<typeof sourcesIn>): PlainConfiguration {
  return { texts: { ...texts, knowledge: hasSources(sources) ? JSON.stringify(sources) : '' }, settings };
}

/** Removes models and tools that are not offered. If none of the bot's models is offered, the bot may use all models, like a new bot. */
export function modelsOffered({ texts, settings }: PlainConfiguration, offers: Offers): Fitted {
  const isOffered = (model: string) => offers.models.includes(model);
  const hasTool = ({ name }: { readonly name: string }) => offersTool(offers, name);
  const { active_models: active, default_model: model, tools } = settings;
  const unavailable = active.filter((name) => !isOffered(name));
  const isDefaultGone = model !== null && !isOffered(model);
  return {
    configuration: {
      texts,
      settings: {
        ...settings,
        active_models: active.filter(isOffered),
        default_model: isDefaultGone ? null : model,
        tools: withApprovals(tools.filter(hasTool)),
      },
    },
    leftOut: [
      ...unavailable.map((name) => leftOut('active_models', name, 'unknown_model')),
      ...(isDefaultGone ? [leftOut('default_model', model, 'unknown_model')] : []),
      ...tools.filter((tool) => !hasTool(tool)).map(({ name }) => leftOut('tools', name, 'tool_not_available')),
    ],
  };
}
