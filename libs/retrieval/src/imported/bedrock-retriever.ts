import type { BedrockAgentRuntimeClient, KnowledgeBaseRetrievalResult } from '@aws-sdk/client-bedrock-agent-runtime';
import type { Patience } from '../remote/remote-service.ts';
import { BoundedHandler } from './fetch-handler.ts';
import { type ImportedChunk, MOST_CHUNK_CHARACTERS } from './imported-retriever.ts';
import { MOST_RETRIEVAL_BYTES, RemoteRetriever } from './remote-retriever.ts';

export interface BedrockRetrieverOptions {
  readonly name: string;
  readonly knowledge_base_id: string;
  readonly region: string;
  readonly access_key_id: string;
  readonly secret_access_key: string;
  /** Base URL, if it is not the region's. */
  readonly url: string | null;
  readonly patience?: Patience;
}

/** An Amazon Bedrock knowledge base. */
export class BedrockRetriever extends RemoteRetriever {
  private client: BedrockAgentRuntimeClient | null = null;

  constructor(private readonly options: BedrockRetrieverOptions) {
    super(`The knowledge base ${options.name}`, options.patience);
  }

  override async close(): Promise<void> {
    await super.close();
    this.client?.destroy();
  }

  protected async ask(query: string, limit: number, abortSignal: AbortSignal): Promise<readonly ImportedChunk[]> {
    const { BedrockAgentRuntimeClient: Client, RetrieveCommand } = await import('@aws-sdk/client-bedrock-agent-runtime');
    const { knowledge_base_id: knowledgeBaseId, region, url, access_key_id, secret_access_key } = this.options;
    this.client ??= new Client({
      region,
      credentials: { accessKeyId: access_key_id, secretAccessKey: secret_access_key },
      maxAttempts: 1,
      requestHandler: new BoundedHandler(MOST_RETRIEVAL_BYTES) as never,
      ...(url !== null && { endpoint: url }),
    });
    const command = new RetrieveCommand({
      knowledgeBaseId,
      retrievalQuery: { text: query },
      retrievalConfiguration: { vectorSearchConfiguration: { numberOfResults: limit } },
    });
    const { retrievalResults = [] } = await this.client.send(command, { abortSignal });
    // Results without text are images and rows.
    return retrievalResults
      .filter(({ content }) => content?.text)
      .slice(0, limit)
      .map(chunkOf);
  }
}

const CHUNK_ID = 'x-amz-bedrock-kb-chunk-id';
const PAGE = 'x-amz-bedrock-kb-document-page-number';
const SOURCE = 'x-amz-bedrock-kb-source-uri';

function chunkOf({ content, location, metadata = {}, score = 0 }: KnowledgeBaseRetrievalResult, index: number): ImportedChunk {
  const source =
    location?.s3Location?.uri ??
    location?.webLocation?.url ??
    location?.confluenceLocation?.url ??
    location?.sharePointLocation?.url ??
    location?.salesforceLocation?.url ??
    location?.kendraDocumentLocation?.uri ??
    location?.customDocumentLocation?.id ??
    textOf(metadata[SOURCE]) ??
    'unknown';
  const page = Number(metadata[PAGE]);
  return {
    id: textOf(metadata[CHUNK_ID]) ?? `${source}#${index}`,
    text: content!.text!.slice(0, MOST_CHUNK_CHARACTERS),
    source,
    source_name: nameOf(source),
    page_number: Number.isInteger(page) && page >= 1 ? page : null,
    heading: null,
    score: Number.isFinite(score) ? score : 0,
  };
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** The last part of an address. */
function nameOf(source: string): string {
  const path = source.replace(/[?#].*$/s, '').replace(/\/+$/, '');
  return path.slice(path.lastIndexOf('/') + 1) || source;
}
