import { RETENTION_DAYS } from '@parlance/messaging';
import { IsOptional, ValidateIf } from 'class-validator';
import { Key } from './fields.ts';
import { isGroupName, isNewPassword, LONGEST_PASSWORD, LONGEST_TOKEN_MINUTES, SHORTEST_PASSWORD } from './limits.ts';
import { KnowledgeS3Config, RerankerConfig, RetrieverConfig, retrieverName } from './knowledge-sources.ts';
import { InternetSearchConfig } from './internet-search.ts';
import { McpServerConfig, mcpServerName } from './mcp-servers.ts';
import { ModelCatalogue } from './model-catalogue.ts';
import { OidcProvider, oidcProviderName } from './oidc-provider.ts';
import {
  Cidrs,
  domainName,
  DomainNames,
  EmailAddress,
  FilePath,
  Flag,
  ListOf,
  Named,
  Nested,
  OneOf,
  Origins,
  Region,
  Text,
  TextBy,
  WebAddress,
  WebAddresses,
  Whole,
} from './rules.ts';

const hostAndPort = /^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+):([1-9]\d{0,4})$/;

/** Any S3-compatible store. */
export class ObjectStoreConfig {
  @Key('Protocol of the store.') @OneOf('s3') readonly type!: 's3';
  @Key('Base URL, if not the default one.') @IsOptional() @WebAddress() readonly endpoint: string | null = null;
  @Key('Base URL as browsers and other clients reach the store, if it differs from `endpoint`. Addresses for uploads start with it.')
  @IsOptional()
  @WebAddress()
  readonly publicEndpoint: string | null = null;
  @Key('Region.') @Region() readonly region!: string;
  @Key('Bucket for all objects.') @Text('a bucket name', /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/) readonly bucket!: string;
  @Key('Access key ID.') @Text('an access key id', /^[!-~]{1,256}$/) readonly accessKeyId!: string;
  @Key('Secret key.', { secret: true }) @Text('an access key', /^[!-~]{1,1024}$/) readonly secretAccessKey!: string;
  @Key('Whether to put the bucket into the path instead of the host name. Most self-hosted stores need this.')
  @Flag()
  readonly forcePathStyle: boolean = false;
}

/**
 * All configuration keys with their types, rules and descriptions. docs/reference/configuration.md is generated from this class.
 * `null` means: not set.
 */
export class Config {
  @Key('Listening address of the edge; in the cluster, of the service.')
  @Text('an IP address or host name', /^[A-Za-z0-9.:_-]{1,253}$/)
  readonly host: string = '127.0.0.1';

  @Key('Listening port of the edge; in the cluster, of the service. 0 selects a free port.') @Whole(0, 65_535) readonly port: number = 8080;

  @Key('Public base URL of the edge. All links and endpoint addresses in answers start with it.', {
    defaultText: 'http://{host}:{port}',
  })
  @ValidateIf((config: Config) => config.publicBaseUrl !== '')
  @WebAddress()
  readonly publicBaseUrl: string = '';

  @Key('Data directory of the one process.') @FilePath() readonly dataDir: string = './data';

  @Key('E-mail address of the first Admin. The account is created at the first start.') @IsOptional() @EmailAddress() readonly adminEmail:
    string | null = null;

  @Key('Password of the first Admin. If not set, a random one is generated and printed once.', { secret: true })
  @IsOptional()
  @TextBy(`${SHORTEST_PASSWORD} to ${LONGEST_PASSWORD} characters`, isNewPassword)
  readonly adminPassword: string | null = null;

  @Key('MongoDB replica set or sharded cluster for event stores and read models. If not set, SQLite is used.', { secret: true })
  @IsOptional()
  @Text('an address that begins with mongodb:// or mongodb+srv://', /^mongodb(\+srv)?:\/\/\S+$/)
  readonly mongoUri: string | null = null;

  @Key('Apache Kafka brokers. If not set, the embedded broker is used.')
  @ListOf('brokers, each host:port', (item) => Number(hostAndPort.exec(item)?.[2] ?? 65_536) <= 65_535)
  readonly kafkaBrokers: readonly string[] = [];

  @Key('Partitions of each new topic. This is also the maximum number of replicas of a service that share its work.')
  @Whole(1, 1_000)
  readonly kafkaPartitions: number = 6;

  @Key('Replication factor of each new topic. 3 is usual with three brokers.')
  @Whole(1, 15)
  readonly kafkaReplicationFactor: number = 1;

  @Key(
    'Retention of events in topics, in days. Read models of a service that was down for longer are updated from the event logs of the source services.',
  )
  @Whole(1, 3_650)
  readonly topicRetentionDays: number = RETENTION_DAYS;

  @Key('How long deliveries to webhooks are listed after they have ended, in days. Of each webhook at most the newest 10,000 are kept.')
  @Whole(1, 365)
  readonly webhookRetentionDays: number = 14;

  @Key('Object store for files.')
  @IsOptional()
  @Nested(ObjectStoreConfig)
  readonly objectStore: ObjectStoreConfig | null = null;

  @Key(
    'Groups that new users join. Users who sign up do not join Admin or PublishAllowed, because their e-mail addresses are not verified.',
  )
  @ListOf('group names', isGroupName)
  readonly autoJoinUserGroups: readonly string[] = ['CreatingBotAllowed'];

  @Key('Whether users may sign up. If false, only an Admin, SCIM or an OpenID Connect provider creates users.')
  @Flag()
  readonly selfSignUpEnabled: boolean = true;

  @Key('E-mail domains that may sign up; empty allows all.')
  @DomainNames()
  readonly allowedSignUpEmailDomains: readonly string[] = [];

  @Key('OpenID Connect providers for signing in, by name. The name is part of the sign-in path.')
  @Named('1 to 30 small letters, digits and hyphens, and not password', oidcProviderName)
  @Nested(OidcProvider, 'map')
  readonly oidcProviders: Readonly<Record<string, OidcProvider>> = {};

  @Key(
    'E-mail domains of the users that SCIM clients may create, change, erase and add to groups; empty allows all. Requests about users of other domains get 403.',
  )
  @DomainNames()
  readonly scimEmailDomains: readonly string[] = [];

  @Key('Lifetime of an access token in minutes.') @Whole(1, LONGEST_TOKEN_MINUTES) readonly tokenValidMinutes: number = 30;

  @Key('Lifetime of a session in days. Then the user must sign in again.')
  @Whole(1, 365)
  readonly sessionValidDays: number = 30;

  @Key('Rotation interval of the key that signs access tokens, in days.') @Whole(1, 365) readonly signingKeyDays: number = 30;

  @Key('Requests to /auth/ per minute from one IP address (for IPv6: one /64 network), at each edge; 0 means no limit.')
  @Whole(0, 100_000)
  readonly authRequestsPerMinute: number = 60;

  @Key('Requests per minute from one signed-in user or with one SCIM token, at each edge; 0 means no limit.')
  @Whole(0, 1_000_000)
  readonly requestsPerMinute: number = 1_200;

  @Key(
    'Requests without sign-in per minute from one IP address (for IPv6: one /64 network), at each edge; 0 means no limit. Requests to published APIs count until their API key is accepted. Requests to /auth/ and with a valid signed address of a file are not counted.',
  )
  @Whole(0, 1_000_000)
  readonly anonymousRequestsPerMinute: number = 120;

  @Key('Open connections from one IP address (for IPv6: one /64 network), at each edge; 0 means no limit. Trusted proxies are not limited.')
  @Whole(0, 100_000)
  readonly connectionsPerAddress: number = 256;

  @Key('Memory for request bodies in one process, in MiB. Above it, requests get 503 `busy`. One user or IP address may use half of it.')
  @Whole(64, 65_536)
  readonly maxBufferedMebibytes: number = 64;

  @Key('Origins whose web pages may call the API (CORS). Published APIs are excluded; they have their own origins.')
  @Origins()
  readonly consoleOrigins: readonly string[] = [];

  @Key('Available models; empty allows all.')
  @ListOf('model ids', (item) => /^\S{1,200}$/.test(item))
  readonly globalAvailableModels: readonly string[] = [];

  @Key('IPv4 ranges that may reach the API, except published APIs. If the IPv6 list is also empty, all addresses may.')
  @Cidrs(4)
  readonly allowedIpV4AddressRanges: readonly string[] = [];

  @Key('IPv6 ranges that may reach the API, except published APIs.') @Cidrs(6) readonly allowedIpV6AddressRanges: readonly string[] = [];

  @Key('IPv4 ranges that may reach published APIs. If the IPv6 list is also empty, all addresses may.')
  @Cidrs(4)
  readonly publishedApiAllowedIpV4AddressRanges: readonly string[] = [];

  @Key('IPv6 ranges that may reach published APIs.') @Cidrs(6) readonly publishedApiAllowedIpV6AddressRanges: readonly string[] = [];

  @Key('Proxies whose X-Forwarded-For header is trusted.') @Cidrs() readonly trustedProxies: readonly string[] = [];

  @Key('Private address ranges from which knowledge may be fetched, and in which tools may be.')
  @Cidrs()
  readonly fetchAllowedPrivateRanges: readonly string[] = [];

  @Key('Whether the retrieval engine runs with two or more replicas, for availability.') @Flag() readonly enableRagReplicas: boolean =
    false;

  @Key('Search language of the bot store. A language without its own analyser uses a generic one and logs a warning.')
  @Text('a language tag such as en or pt-BR', /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/)
  readonly botStoreLanguage: string = 'en';

  @Key('Providers, models and prices. Replaces the built-in catalogue, or extends it with `extends: "builtin"`.', {
    defaultText: 'the built-in catalogue',
  })
  @IsOptional()
  @Nested(ModelCatalogue, 'one', 'object-or-file')
  readonly models: ModelCatalogue | null = null;

  @Key('Model that orders the results of a search in knowledge again. If it fails, the order of the search is used.')
  @IsOptional()
  @Nested(RerankerConfig)
  readonly reranker: RerankerConfig | null = null;

  @Key('Knowledge bases of other systems, by name. Bots use one by its name in exist_knowledge_base_id.')
  @Named('1 to 100 letters, digits and . _ -', retrieverName)
  @Nested(RetrieverConfig, 'map')
  readonly retrievers: Readonly<Record<string, RetrieverConfig>> = {};

  @Key('S3-compatible store from which bots may read knowledge (s3_urls).')
  @IsOptional()
  @Nested(KnowledgeS3Config)
  readonly knowledgeS3: KnowledgeS3Config | null = null;

  @Key('Service of the tool internet_search. Without it, bots cannot use the tool.')
  @IsOptional()
  @Nested(InternetSearchConfig)
  readonly internetSearch: InternetSearchConfig | null = null;

  @Key('Servers of the Model Context Protocol whose tools bots may use, by name. A bot names a tool as `<server>__<tool>`.')
  @Named('1 to 30 small letters and digits, with single hyphens between them', mcpServerName)
  @Nested(McpServerConfig, 'map')
  readonly mcpServers: Readonly<Record<string, McpServerConfig>> = {};

  @Key('Parent domain of published APIs. Each gets a host name below it.')
  @IsOptional()
  @Text('a domain name', domainName)
  readonly publishedDomain: string | null = null;

  @Key('Name of the environment. Prefix of the names of the export database and its tables.')
  @Text('up to 32 letters, digits and underscores', /^([A-Za-z][A-Za-z0-9_]{0,31})?$/)
  readonly environment: string = '';

  @Key('Second prefix of the names of the export database and its tables.')
  @Text('1 to 32 letters, digits and underscores', /^[A-Za-z][A-Za-z0-9_]{0,31}$/)
  readonly stackPrefix: string = 'parlance';

  @Key(
    "Which answers of models keep no image or link unless it is in a text of the bot's knowledge that the model was given, or in the instruction: those of published bots, all, or none.",
  )
  @OneOf('published', 'always', 'never')
  readonly stripUncitedLinks: 'published' | 'always' | 'never' = 'published';

  @Key('Case of field names in answers.') @OneOf('snake', 'camel') readonly wireCase: 'snake' | 'camel' = 'snake';

  @Key('Minimum log level. auto means warn for the one process at a terminal, otherwise info.')
  @OneOf('auto', 'trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent')
  readonly logLevel: LogLevel = 'auto';

  @Key('File of the master key, which encrypts the users’ keys. Created at the first start.', { defaultText: '{dataDir}/master.key' })
  @ValidateIf((config: Config) => config.masterKeyFile !== '')
  @FilePath()
  readonly masterKeyFile: string = '';

  @Key('Master key, instead of a file.', { secret: true })
  @IsOptional()
  @TextBy('32 bytes in base64 (openssl rand -base64 32)', isMasterKey)
  readonly masterKey: string | null = null;

  @Key('File to which the head of the audit log is exported.') @IsOptional() @FilePath() readonly auditHeadFile: string | null = null;

  @Key('Interval between exports of the head of the audit log, in seconds.') @Whole(1, 86_400) readonly auditHeadSeconds: number = 60;

  @Key('Minutes after the end of an hour at which its conversations are exported.') @Whole(1, 1_440) readonly exportDelayMinutes: number =
    10;

  @Key('Longest time of an SQL query over the exports, in seconds.') @Whole(1, 25) readonly exportQuerySeconds: number = 20;

  @Key('Memory of the SQL engine for one query over the exports, in MiB. Its process takes some more.')
  @Whole(64, 65_536)
  readonly exportQueryMebibytes: number = 512;

  @Key('Most rows in the answer to an SQL query over the exports.') @Whole(1, 100_000) readonly exportQueryRows: number = 10_000;

  @Key('Size of all exports that one SQL query may read, in MiB. Copies of them are kept on the disk of the analytics service.')
  @Whole(1, 1_048_576)
  readonly exportCopiesMebibytes: number = 4_096;

  @Key('Maximum number of requests of a quota that one edge reserves in advance. A crash loses at most this many.')
  @Whole(1, 10_000)
  readonly limitsBlock: number = 100;

  @Key('Port of /metrics for Prometheus; 0 disables metrics.') @Whole(0, 65_535) readonly metricsPort: number = 0;

  @Key('Base URLs of the other services by name, if each service runs as its own process. Several URLs of one service are used in turn.')
  @WebAddresses()
  readonly services: Readonly<Record<string, string | readonly string[]>> = {};

  @Key(
    'Base URL at which the other replicas of the same service reach this process, for streams of replies. Used if each service runs as its own process.',
    { defaultText: 'http://{host}:{port}, with the first address of the machine if it listens on all' },
  )
  @IsOptional()
  @WebAddress()
  readonly replicaUrl: string | null = null;

  @Key('URL of the OpenTelemetry collector for traces (OTLP over HTTP).') @IsOptional() @WebAddress() readonly otlpEndpoint: string | null =
    null;

  @Key('Maximum number of messages that wait for a reply. Above it, new messages get 503 `busy`.')
  @Whole(1, 100_000)
  readonly maxOwedReplies: number = 2_000;

  @Key('How long a reply waits for the approval of a tool call, in hours. Then the model is told that the call was not approved.')
  @Whole(1, 720)
  readonly toolApprovalHours: number = 24;

  @Key('Maximum size of a file, page or object of the knowledge of a bot, in MiB.')
  @Whole(1, 100)
  readonly maxUploadMebibytes: number = 50;

  @Key('Minutes between two clean-ups of knowledge. An index that is neither in service nor being made is removed when it is that old.')
  @Whole(1, 1_440)
  readonly knowledgeCleanUpMinutes: number = 60;

  @Key('Maximum time that a shutdown waits for running work, in seconds.') @Whole(1, 600) readonly shutdownGraceSeconds: number = 25;
}

export type LogLevel = 'auto' | 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';

function isMasterKey(value: string): boolean {
  const bytes = Buffer.from(value, 'base64');
  return bytes.length === 32 && bytes.toString('base64') === value;
}
