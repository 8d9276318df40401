import type {
  ApiKey,
  Bot,
  BotItem,
  ChangeBotBody,
  ChangePublicationBody,
  CreateApiKeyBody,
  CreateBotBody,
  CreatedApiKey,
  KnowledgeSync,
  PrivateBot,
  Publication,
  PublishBody,
  SharingBody,
} from './generated/api.ts';
import { ParlanceError } from './parlance-error.ts';
import { type PollOptions, pollUntil } from './polling.ts';
import { sendFile, type FileContent } from './uploads.ts';
import type { Transport, TransportOptions } from './transport.ts';
import { type Answer, type CallOptions, type Request, TypedApi } from './typed-api.ts';

type UsageQuery = NonNullable<Request<'/bot/{botId}/publication/usage', 'get'>['query']>;
type Listed = Request<'/bot', 'get'>['query'];

/** Bots, their knowledge, and their publications. */
export class Bots {
  private readonly api: TypedApi;

  constructor(
    transport: Transport,
    private readonly options: TransportOptions,
  ) {
    this.api = new TypedApi(transport);
  }

  create(body: CreateBotBody, options: CallOptions = {}): Promise<PrivateBot> {
    return this.api.post('/bot', { body, ...options });
  }

  list(query: NonNullable<Listed> = {}): AsyncGenerator<BotItem, void, undefined> {
    return this.api.list('/bot', { query });
  }

  get(botId: string): Promise<Bot> {
    return this.api.get('/bot/{botId}', { path: { botId } });
  }

  /** A bot with its instruction and knowledge, for users who may change it. */
  getPrivate(botId: string): Promise<PrivateBot> {
    return this.api.get('/bot/private/{botId}', { path: { botId } });
  }

  change(botId: string, body: ChangeBotBody, options: CallOptions = {}): Promise<PrivateBot> {
    return this.api.patch('/bot/{botId}', { path: { botId }, body, ...options });
  }

  share(botId: string, body: SharingBody): Promise<Bot> {
    return this.api.patch('/bot/{botId}/visibility', { path: { botId }, body });
  }

  async delete(botId: string, options: CallOptions = {}): Promise<void> {
    await this.api.delete('/bot/{botId}', { path: { botId }, ...options });
  }

  /** Uploads a file for a bot's knowledge. Afterwards, list it in `knowledge.filenames` or `knowledge.added_filenames`. */
  async upload(botId: string, filename: string, contentType: string, content: FileContent, signal?: AbortSignal): Promise<void> {
    const query = { filename, content_type: contentType };
    const address = await this.api.get('/bot/{botId}/presigned-url', { path: { botId }, query, signal });
    await sendFile(address, content, this.options, signal);
  }

  /** Waits for the end of the run that reads the knowledge. Throws `sync_failed` with the reason. */
  async synced(botId: string, options: PollOptions = {}): Promise<KnowledgeSync> {
    const { signal } = options;
    const run = () => this.api.get('/bot/{botId}/knowledge/sync', { path: { botId }, signal });
    const ended = await pollUntil(run, (it) => it.sync_status === 'SUCCEEDED' || it.sync_status === 'FAILED', options);
    if (ended.sync_status === 'FAILED') throw new ParlanceError('sync_failed', ended.reason);
    return ended;
  }

  /** Publishes a bot and waits until its endpoint answers. Throws `deployment_failed` with the reason. */
  async publish(botId: string, body: PublishBody, options: PollOptions & CallOptions = {}): Promise<Publication> {
    const { timeoutMillis, ...call } = options;
    await this.api.post('/bot/{botId}/publication', { path: { botId }, body, ...call });
    const state = () => this.publication(botId, call);
    const poll = { signal: call.signal, ...(timeoutMillis !== undefined && { timeoutMillis }) };
    const ended = await pollUntil(state, ({ codebuild_status }) => codebuild_status !== 'IN_PROGRESS', poll);
    if (ended.codebuild_status !== 'SUCCEEDED') throw new ParlanceError('deployment_failed', reasonOf(ended));
    return ended;
  }

  publication(botId: string, options: CallOptions = {}): Promise<Publication> {
    return this.api.get('/bot/{botId}/publication', { path: { botId }, ...options });
  }

  changePublication(botId: string, body: ChangePublicationBody, options: CallOptions = {}): Promise<Publication> {
    return this.api.patch('/bot/{botId}/publication', { path: { botId }, body, ...options });
  }

  /** The requests to a published bot by key, hour and status. */
  publicationUsage(botId: string, query: UsageQuery = {}): Promise<Answer<'/bot/{botId}/publication/usage', 'get'>> {
    return this.api.get('/bot/{botId}/publication/usage', { path: { botId }, query });
  }

  async unpublish(botId: string): Promise<void> {
    await this.api.delete('/bot/{botId}/publication', { path: { botId } });
  }

  /** Creates an API key. Only this response contains its complete value. */
  createKey(botId: string, body: CreateApiKeyBody): Promise<CreatedApiKey> {
    return this.api.post('/bot/{botId}/publication/api-key', { path: { botId }, body });
  }

  keys(botId: string): AsyncGenerator<ApiKey, void, undefined> {
    return this.api.list('/bot/{botId}/publication/api-key', { path: { botId } });
  }

  async revokeKey(botId: string, keyId: string): Promise<void> {
    await this.api.delete('/bot/{botId}/publication/api-key/{keyId}', { path: { botId, keyId } });
  }
}

const reasonOf = (publication: Publication): string => publication.codebuild_status_reason || 'The deployment has failed.';
