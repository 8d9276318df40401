import { IsOptional } from 'class-validator';
import { awsObjection, type Objection } from './embedding-model.ts';
import { Key } from './fields.ts';
import { EmailAddress, Flag, ListOf, OneOf, Region, Text, WebAddress } from './rules.ts';

const aKey = /^[!-~]{1,1024}$/;
const aModel = /^[!-~]{1,200}$/;

/** The model that reorders search results. */
export class RerankerConfig {
  @Key('API: http, cohere or bedrock.') @OneOf('http', 'cohere', 'bedrock') readonly type!: 'http' | 'cohere' | 'bedrock';
  @Key('URL of the rerank endpoint of http. For the others: base URL, if not the default one.')
  @IsOptional()
  @WebAddress()
  readonly url: string | null = null;
  @Key('Model name at the provider. http may have none.') @IsOptional() @Text('a model name', aModel) readonly model: string | null = null;
  @Key('Name of the field with the documents in requests of http: documents (Cohere, Jina, vLLM) or texts (Text Embeddings Inference).')
  @OneOf('documents', 'texts')
  readonly document_field: 'documents' | 'texts' = 'documents';
  @Key('API key.', { secret: true }) @IsOptional() @Text('a key', aKey) readonly api_key: string | null = null;
  @Key('AWS region of bedrock.') @IsOptional() @Region() readonly region: string | null = null;
  @Key('AWS access key ID of bedrock, if there is no API key.') @IsOptional() @Text('an access key id', aKey) readonly access_key_id:
    | string
    | null = null;
  @Key('AWS secret key of bedrock.', { secret: true }) @IsOptional() @Text('an access key', aKey) readonly secret_access_key:
    | string
    | null = null;
}

/** Names are used in `exist_knowledge_base_id` of bots. */
export const retrieverName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/** A knowledge base of another system. */
export class RetrieverConfig {
  @Key('parlance (a bot of another Parlance), http (a retrieval endpoint) or bedrock (an Amazon Bedrock knowledge base).')
  @OneOf('parlance', 'http', 'bedrock')
  readonly type!: 'parlance' | 'http' | 'bedrock';
  @Key('Base URL of the other Parlance, or URL of the retrieval endpoint. For bedrock: base URL, if not the default one.')
  @IsOptional()
  @WebAddress()
  readonly url: string | null = null;
  @Key('Bot of the other Parlance.') @IsOptional() @Text('a bot id', /^[0-9A-Za-z]{26}$/) readonly bot_id: string | null = null;
  @Key('Bearer token.', { secret: true }) @IsOptional() @Text('a token', /^[!-~]{1,8192}$/) readonly token: string | null = null;
  @Key('E-mail address of an account of the other Parlance that may search the bot.') @IsOptional() @EmailAddress() readonly email:
    | string
    | null = null;
  @Key('Password of that account.', { secret: true }) @IsOptional() @Text('a password', /^.{1,1000}$/su) readonly password: string | null =
    null;
  @Key('ID of the Amazon Bedrock knowledge base.')
  @IsOptional()
  @Text('a knowledge base id', /^[0-9A-Za-z]{1,64}$/)
  readonly knowledge_base_id: string | null = null;
  @Key('AWS region.') @IsOptional() @Region() readonly region: string | null = null;
  @Key('AWS access key ID.') @IsOptional() @Text('an access key id', aKey) readonly access_key_id: string | null = null;
  @Key('AWS secret key.', { secret: true }) @IsOptional() @Text('an access key', aKey) readonly secret_access_key: string | null = null;
}

const bucketOrPrefix = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/[^\0]{0,900})?$/;

/** The S3-compatible store of `s3_urls`. */
export class KnowledgeS3Config {
  @Key('Base URL, if not the default one.') @IsOptional() @WebAddress() readonly endpoint: string | null = null;
  @Key('Region.') @Region() readonly region!: string;
  @Key('Access key ID. It should have only the rights to list and read the buckets.')
  @Text('an access key id', aKey)
  readonly accessKeyId!: string;
  @Key('Secret key.', { secret: true }) @Text('an access key', aKey) readonly secretAccessKey!: string;
  @Key('Whether to put the bucket into the path instead of the host name. Most self-hosted stores need this.')
  @Flag()
  readonly forcePathStyle: boolean = false;
  @Key('Buckets that bots may read: `bucket` or `bucket/prefix`. Every user who may create bots can read them.')
  @ListOf('buckets, each `bucket` or `bucket/prefix`', (item) => bucketOrPrefix.test(item))
  readonly buckets!: readonly string[];
}

/** An error if a reranker or a retriever lacks a key that its type needs. */
export function missingKey(reranker: RerankerConfig | null, retrievers: Readonly<Record<string, RetrieverConfig>>): Objection | null {
  if (reranker !== null) {
    const objection = rerankerObjection(reranker);
    if (objection !== null) return objection;
  }
  for (const [name, retriever] of Object.entries(retrievers)) {
    const objection = retrieverObjection(`retrievers.${name}`, retriever);
    if (objection !== null) return objection;
  }
  return null;
}

const rerankerNeeds = { http: ['url'], cohere: ['model', 'api_key'], bedrock: ['model', 'region'] } as const;

function rerankerObjection(reranker: RerankerConfig): Objection | null {
  const { type } = reranker;
  return lacking('reranker', type, reranker, rerankerNeeds[type]) ?? (type === 'bedrock' ? awsObjection('reranker', reranker) : null);
}

const retrieverNeeds = { http: ['url'], parlance: ['url', 'bot_id'], bedrock: ['knowledge_base_id', 'region'] } as const;

function retrieverObjection(path: string, retriever: RetrieverConfig): Objection | null {
  const { type, token } = retriever;
  const needs = type === 'parlance' && token === null ? [...retrieverNeeds.parlance, 'email', 'password'] : retrieverNeeds[type];
  return (
    lacking(path, type, retriever, needs as readonly (keyof RetrieverConfig)[]) ??
    (type === 'bedrock' ? awsObjection(path, retriever) : null)
  );
}

function lacking<Settings extends object>(
  path: string,
  type: string,
  settings: Settings,
  needs: readonly (keyof Settings)[],
): Objection | null {
  const key = needs.find((each) => settings[each] === null);
  return key === undefined ? null : { path: `${path}.${String(key)}`, value: undefined, allowed: `set for the type ${type}` };
}
