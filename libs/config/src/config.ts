import { RETENTION_DAYS } from '@parlance/messaging';
import { IsOptional, ValidateIf } from 'class-validator';
import { Key } from './fields.ts';
import { isGroupName, isNewPassword, LONGEST_PASSWORD, LONGEST_TOKEN_MINUTES, SHORTEST_PASSWORD } from './limits.ts';
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
  Text,
  TextBy,
  WebAddress,
  WebAddresses,
  Whole,
} from './rules.ts';

const hostAndPort = /^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+):([1-9]\d{0,4})$/;

/** Any S3-compatible store. */
export class ObjectStoreConfig {
  @Key('The interface the store speaks.') @OneOf('s3') readonly type!: 's3';
  @Key('Where it is, if not at its usual address.') @IsOptional() @WebAddress() readonly endpoint: string | null = null;
  @Key('Its region.') @Text('a region name such as us-east-1', /^[A-Za-z0-9-]{1,64}$/) readonly region!: string;
  @Key('The bucket everything is kept in.') @Text('a bucket name', /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/) readonly bucket!: string;
  @Key('Who asks.') @Text('an access key id', /^[!-~]{1,256}$/) readonly accessKeyId!: string;
  @Key('Proof of it.', { secret: true }) @Text('an access key', /^[!-~]{1,1024}$/) readonly secretAccessKey!: string;
  @Key('Puts the bucket into the path instead of the host name, as most stores of one’s own want it.')
  @Flag()
  readonly forcePathStyle: boolean = false;
}

/**
 * All that a deployment can decide, typed. What a key means stands beside it, and docs/reference/configuration.md is made from
 * here. `null` means: not set.
 */
export class Config {
  @Key('Address that the edge (in the cluster: the service) listens on.')
  @Text('an IP address or host name', /^[A-Za-z0-9.:_-]{1,253}$/)
  readonly host: string = '127.0.0.1';

  @Key('Port that the edge (in the cluster: the service) listens on; 0 takes a free one.') @Whole(0, 65_535) readonly port: number = 8080;

  @Key('Address under which clients reach the edge; it begins every endpoint and link that is given out.', {
    defaultText: 'http://{host}:{port}',
  })
  @ValidateIf((config: Config) => config.publicBaseUrl !== '')
  @WebAddress()
  readonly publicBaseUrl: string = '';

  @Key('Directory of everything that the one process keeps.') @FilePath() readonly dataDir: string = './data';

  @Key('E-mail address of the first Admin, made when there is none.') @IsOptional() @EmailAddress() readonly adminEmail: string | null =
    null;

  @Key('Password of the first Admin; without it a random one is made and printed once.', { secret: true })
  @IsOptional()
  @TextBy(`${SHORTEST_PASSWORD} to ${LONGEST_PASSWORD} characters`, isNewPassword)
  readonly adminPassword: string | null = null;

  @Key('MongoDB replica set or sharded cluster: when set, event stores and read models are kept there.', { secret: true })
  @IsOptional()
  @Text('an address that begins with mongodb:// or mongodb+srv://', /^mongodb(\+srv)?:\/\/\S+$/)
  readonly mongoUri: string | null = null;

  @Key('Apache Kafka: when set, events travel through it.')
  @ListOf('brokers, each host:port', (item) => Number(hostAndPort.exec(item)?.[2] ?? 65_536) <= 65_535)
  readonly kafkaBrokers: readonly string[] = [];

  @Key('Partitions of each topic that is made, so the most replicas of a service that share its work.')
  @Whole(1, 1_000)
  readonly kafkaPartitions: number = 6;

  @Key('Copies of each topic that is made; 3 is usual where there are three brokers.')
  @Whole(1, 15)
  readonly kafkaReplicationFactor: number = 1;

  @Key('Days that topics keep events. A consumer that was away for longer reads what it missed from the logs of the services.')
  @Whole(1, 3_650)
  readonly topicRetentionDays: number = RETENTION_DAYS;

  @Key('Object storage: when set, files are kept there.')
  @IsOptional()
  @Nested(ObjectStoreConfig)
  readonly objectStore: ObjectStoreConfig | null = null;

  @Key('Groups that new users join. Users who sign up do not join Admin and PublishAllowed: their addresses are not verified.')
  @ListOf('group names', isGroupName)
  readonly autoJoinUserGroups: readonly string[] = ['CreatingBotAllowed'];

  @Key('Whether anyone may sign up; without it an Admin makes the users.') @Flag() readonly selfSignUpEnabled: boolean = true;

  @Key('Domains whose e-mail addresses may sign up; empty allows all.')
  @DomainNames()
  readonly allowedSignUpEmailDomains: readonly string[] = [];

  @Key('OpenID Connect providers, by the name that stands in their paths. Users of a provider may sign in here.')
  @Named('1 to 30 small letters, digits and hyphens, and not password', oidcProviderName)
  @Nested(OidcProvider, 'map')
  readonly oidcProviders: Readonly<Record<string, OidcProvider>> = {};

  @Key(
    'Domains whose users SCIM clients may make, change, erase and add to groups; empty allows all. A user of another domain is refused with 403.',
  )
  @DomainNames()
  readonly scimEmailDomains: readonly string[] = [];

  @Key('Lifetime of an access token in minutes.') @Whole(1, LONGEST_TOKEN_MINUTES) readonly tokenValidMinutes: number = 30;

  @Key('How long a session may be refreshed, in days, before its user has to sign in again.')
  @Whole(1, 365)
  readonly sessionValidDays: number = 30;

  @Key('After how many days another key signs access tokens.') @Whole(1, 365) readonly signingKeyDays: number = 30;

  @Key('Requests to /auth/ that one address (of IPv6: one /64) may send in a minute, at each edge; 0 takes the limit away.')
  @Whole(0, 100_000)
  readonly authRequestsPerMinute: number = 60;

  @Key('Requests that one signed-in user, or one SCIM token, may send in a minute, at each edge; 0 takes the limit away.')
  @Whole(0, 1_000_000)
  readonly requestsPerMinute: number = 1_200;

  @Key(
    'Requests that one address (of IPv6: one /64) may send in a minute without signing in, those to /auth/ and to published APIs apart, at each edge; 0 takes the limit away.',
  )
  @Whole(0, 1_000_000)
  readonly anonymousRequestsPerMinute: number = 120;

  @Key(
    'Connections that one address (of IPv6: one /64) may have at each edge at once, those of trusted proxies apart; 0 takes the bound away.',
  )
  @Whole(0, 100_000)
  readonly connectionsPerAddress: number = 256;

  @Key(
    'MiB that bodies of requests may take at one process while they are received and read; past it, and past half of it for one user or address, 503 busy.',
  )
  @Whole(64, 65_536)
  readonly maxBufferedMebibytes: number = 64;

  @Key('Origins of web pages, such as a console’s, whose scripts may call everything but the published APIs, which have their own.')
  @Origins()
  readonly consoleOrigins: readonly string[] = [];

  @Key('Models that may be used; empty allows all.')
  @ListOf('model ids', (item) => /^\S{1,200}$/.test(item))
  readonly globalAvailableModels: readonly string[] = [];

  @Key('IPv4 ranges that may reach everything but the published APIs; with the IPv6 list also empty, all may.')
  @Cidrs(4)
  readonly allowedIpV4AddressRanges: readonly string[] = [];

  @Key('IPv6 ranges that may reach everything but the published APIs.') @Cidrs(6) readonly allowedIpV6AddressRanges: readonly string[] = [];

  @Key('IPv4 ranges that may reach published APIs; with the IPv6 list also empty, all may.')
  @Cidrs(4)
  readonly publishedApiAllowedIpV4AddressRanges: readonly string[] = [];

  @Key('IPv6 ranges that may reach published APIs.') @Cidrs(6) readonly publishedApiAllowedIpV6AddressRanges: readonly string[] = [];

  @Key('Proxies whose X-Forwarded-For is believed.') @Cidrs() readonly trustedProxies: readonly string[] = [];

  @Key('Private ranges that knowledge may nevertheless be fetched from.') @Cidrs() readonly fetchAllowedPrivateRanges: readonly string[] =
    [];

  @Key('Two or more replicas of the retrieval engine: costs more, stays up.') @Flag() readonly enableRagReplicas: boolean = false;

  @Key('Language that the bot store is searched in; one without an analyser gets a plain one, with a warning.')
  @Text('a language tag such as en or pt-BR', /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/)
  readonly botStoreLanguage: string = 'en';

  @Key('Providers, models and prices. Replaces the built-in catalogue, unless it says `extends: "builtin"`.', {
    defaultText: 'the built-in catalogue',
  })
  @IsOptional()
  @Nested(ModelCatalogue, 'one', 'object-or-file')
  readonly models: ModelCatalogue | null = null;

  @Key('Domain below which each published API gets a host name of its own.')
  @IsOptional()
  @Text('a domain name', domainName)
  readonly publishedDomain: string | null = null;

  @Key('Name of the environment; begins the names of the exports’ database and tables.')
  @Text('up to 32 letters, digits and underscores', /^([A-Za-z][A-Za-z0-9_]{0,31})?$/)
  readonly environment: string = '';

  @Key('What the names of the exports’ database and tables go on with.')
  @Text('1 to 32 letters, digits and underscores', /^[A-Za-z][A-Za-z0-9_]{0,31}$/)
  readonly stackPrefix: string = 'parlance';

  @Key('Casing of the keys in answers.') @OneOf('snake', 'camel') readonly wireCase: 'snake' | 'camel' = 'snake';

  @Key('The least that is logged; auto: info, and warn where the one process runs at a terminal.')
  @OneOf('auto', 'trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent')
  readonly logLevel: LogLevel = 'auto';

  @Key('File of the key that wraps the keys of personal content; made on the first start.', { defaultText: '{dataDir}/master.key' })
  @ValidateIf((config: Config) => config.masterKeyFile !== '')
  @FilePath()
  readonly masterKeyFile: string = '';

  @Key('That key itself, instead of a file.', { secret: true })
  @IsOptional()
  @TextBy('32 bytes in base64 (openssl rand -base64 32)', isMasterKey)
  readonly masterKey: string | null = null;

  @Key('File that the newest head of the audit log is written to.') @IsOptional() @FilePath() readonly auditHeadFile: string | null = null;

  @Key('Seconds from one export of the head of the audit log to the next.') @Whole(1, 86_400) readonly auditHeadSeconds: number = 60;

  @Key('Largest block of a quota that one edge borrows ahead; a crash loses at most so many requests of it.')
  @Whole(1, 10_000)
  readonly limitsBlock: number = 100;

  @Key('Port of /metrics for Prometheus; 0 turns metrics off.') @Whole(0, 65_535) readonly metricsPort: number = 0;

  @Key('Where the other services are, by name, when each runs as its own process; several addresses are asked in turn.')
  @WebAddresses()
  readonly services: Readonly<Record<string, string | readonly string[]>> = {};

  @Key('OpenTelemetry collector (OTLP over HTTP) that traces are sent to.') @IsOptional() @WebAddress() readonly otlpEndpoint:
    string | null = null;

  @Key(
    'Messages that may wait for a process to write their replies. Beyond that new messages are refused with 503 `busy` until some are written.',
  )
  @Whole(1, 100_000)
  readonly maxOwedReplies: number = 2_000;

  @Key('How long a shutdown waits for what is in hand, in seconds.') @Whole(1, 600) readonly shutdownGraceSeconds: number = 25;
}

export type LogLevel = 'auto' | 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';

function isMasterKey(value: string): boolean {
  const bytes = Buffer.from(value, 'base64');
  return bytes.length === 32 && bytes.toString('base64') === value;
}
