import { type ImportedChunk, ImportedRetriever, type ImportedSearch } from './imported-retriever.ts';

/** One of the configured `retrievers`. The configuration has checked that each type has its keys. */
export interface RetrieverSettings {
  readonly type: 'parlance' | 'http' | 'bedrock';
  readonly url: string | null;
  readonly bot_id: string | null;
  readonly token: string | null;
  readonly email: string | null;
  readonly password: string | null;
  readonly knowledge_base_id: string | null;
  readonly region: string | null;
  readonly access_key_id: string | null;
  readonly secret_access_key: string | null;
}

/** The configured retrievers by name. Each is loaded at its first search. */
export function openRetrievers(settings: {
  readonly retrievers: Readonly<Record<string, RetrieverSettings>>;
}): ReadonlyMap<string, ImportedRetriever> {
  return new Map(Object.entries(settings.retrievers).map(([name, each]) => [name, new LazyRetriever(() => retrieverOf(name, each))]));
}

class LazyRetriever extends ImportedRetriever {
  private opened: Promise<ImportedRetriever> | null = null;

  constructor(private readonly open: () => Promise<ImportedRetriever>) {
    super();
  }

  async retrieve(query: string, search: ImportedSearch): Promise<readonly ImportedChunk[]> {
    this.opened ??= this.open();
    return (await this.opened).retrieve(query, search);
  }

  async close(): Promise<void> {
    await (await this.opened)?.close();
  }
}

async function retrieverOf(name: string, settings: RetrieverSettings): Promise<ImportedRetriever> {
  const { type, url, bot_id, token, email, password, knowledge_base_id, region, access_key_id, secret_access_key } = settings;
  switch (type) {
    case 'http': {
      const { HttpRetriever } = await import('./http-retriever.ts');
      return new HttpRetriever({ name, url: url!, token });
    }
    case 'parlance': {
      const { ParlanceRetriever } = await import('./parlance-retriever.ts');
      return new ParlanceRetriever({ name, url: url!, bot_id: bot_id!, token, email, password });
    }
    case 'bedrock': {
      const { BedrockRetriever } = await import('./bedrock-retriever.ts');
      return new BedrockRetriever({
        name,
        url,
        knowledge_base_id: knowledge_base_id!,
        region: region!,
        access_key_id: access_key_id!,
        secret_access_key: secret_access_key!,
      });
    }
  }
}
