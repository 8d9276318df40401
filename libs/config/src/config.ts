import { IsOptional, ValidateIf } from 'class-validator';
import { Key } from './fields.ts';
import { KnowledgeS3Config, RerankerConfig, RetrieverConfig, retrieverName } from './knowledge-sources.ts';
import { GuardrailPolicy } from './guardrail-policies.ts';
import { InternetSearchConfig } from './internet-search.ts';
import { McpServerConfig, mcpServerName } from './mcp-servers.ts';
import { ModelCatalogue } from './model-catalogue.ts';
import { domainName, FilePath, Flag, Named, Nested, OneOf, Text, TextBy, WebAddress, WebAddresses, Whole } from './rules.ts';
import { AccessKeys } from './keys/access-keys.ts';
import { isMailServer, isSender, MAIL_LANGUAGES, type MailLanguage } from './keys/mail-server.ts';

/**
 * All configuration keys with their types, rules and descriptions. docs/reference/configuration.md is generated from this class, in the same
 * order, with the keys of the base classes first. `null` means: not set.
 */
export class Config extends AccessKeys {
  @Key(
    'Whether the retrieval engine has at least two replicas, for availability. The Helm chart then refuses fewer than two replicas of the service bots. No effect in one process.',
  )
  @Flag()
  readonly enableRagReplicas: boolean = false;

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
  @Named('1 to 30 lower-case letters and digits, with single hyphens between them', mcpServerName)
  @Nested(McpServerConfig, 'map')
  readonly mcpServers: Readonly<Record<string, McpServerConfig>> = {};

  @Key('Policies for personal data, secrets and words in texts of users and in answers of models.')
  @Nested(GuardrailPolicy, 'list')
  readonly guardrails: readonly GuardrailPolicy[] = [];

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
    "Which answers of models lose their images and links, except those that occur in the bot's knowledge passed to the model, in the instruction or in a message of the user: answers of published bots, all answers, or none.",
  )
  @OneOf('published', 'always', 'never')
  readonly stripUncitedLinks: 'published' | 'always' | 'never' = 'published';

  @Key(
    'Whether shared conversations may be read without sign-in, if their owner has made the link public. If false, this also applies to links that were made before.',
  )
  @Flag()
  readonly allowPublicLinks: boolean = false;

  @Key(
    'Whether users may turn on their memory: entries about them that are part of the prompts of their chats. If false, no prompt has entries and no model may add any; users can still read and remove theirs.',
  )
  @Flag()
  readonly userMemory: boolean = true;

  @Key('Case of field names in answers.') @OneOf('snake', 'camel') readonly wireCase: 'snake' | 'camel' = 'snake';

  @Key('Minimum log level. auto means warn for the single process at a terminal, otherwise info.')
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

  @Key('Server that sends mails, such as smtps://user:password@mail.example.org. Without it, no mail is sent.', { secret: true })
  @IsOptional()
  @TextBy('a URL smtps://host or smtp://host; with credentials smtps://, or smtp:// and ?requireTLS=true at the end', isMailServer)
  readonly smtpUrl: string | null = null;

  @Key('Sender of mails, such as Parlance <no-reply@example.org>. Needed by `smtpUrl`.')
  @IsOptional()
  @TextBy('an e-mail address, or a name with one in angle brackets', isSender)
  readonly mailFrom: string | null = null;

  @Key('Language of mails to users who have chosen none, and of invitations.')
  @OneOf(...MAIL_LANGUAGES)
  readonly mailLanguage: MailLanguage = 'en';

  @Key('File to which the head of the audit log is exported.') @IsOptional() @FilePath() readonly auditHeadFile: string | null = null;

  @Key('Interval between exports of the head of the audit log, in seconds.') @Whole(1, 86_400) readonly auditHeadSeconds: number = 60;

  @Key('Folder of backups: `parlance backup` without DIR makes a folder in it, named by the time. One process only.')
  @IsOptional()
  @FilePath()
  readonly backupDir: string | null = null;

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

  @Key('How long the oldest waiting write may wait, in milliseconds. Above it, new messages get 503 `busy`. One process only.')
  @Whole(10, 60_000)
  readonly longestWriteWaitMillis: number = 250;

  @Key('How long a reply waits for the approval of a tool call, in hours. Then the model is informed that the call was not approved.')
  @Whole(1, 720)
  readonly toolApprovalHours: number = 24;

  @Key('How long a temporary conversation is kept after its last message, in hours. Then its content is deleted.')
  @Whole(1, 720)
  readonly temporaryChatHours: number = 24;

  @Key('Maximum size of a file, page or object of the knowledge of a bot, in MiB.')
  @Whole(1, 100)
  readonly maxUploadMebibytes: number = 50;

  @Key('Minutes between two clean-ups of knowledge. An index that is neither in service nor being made is removed when it is that old.')
  @Whole(1, 1_440)
  readonly knowledgeCleanUpMinutes: number = 60;

  @Key('In a cluster: how long a process that stops still answers, in seconds, so that others use other replicas.')
  @Whole(0, 60)
  readonly shutdownNoticeSeconds: number = 2;

  @Key('Maximum time that a shutdown waits for running work, in seconds.') @Whole(1, 600) readonly shutdownGraceSeconds: number = 25;
}

export type LogLevel = 'auto' | 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';

function isMasterKey(value: string): boolean {
  const bytes = Buffer.from(value, 'base64');
  return bytes.length === 32 && bytes.toString('base64') === value;
}
