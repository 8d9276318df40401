import { RETENTION_DAYS } from '@parlance/messaging';
import { IsOptional, ValidateIf } from 'class-validator';
import { Key } from '../fields.ts';
import { isNewPassword, LONGEST_PASSWORD, SHORTEST_PASSWORD } from '../limits.ts';
import { EmailAddress, FilePath, Flag, ListOf, Nested, Text, TextBy, WebAddress, Whole } from '../rules.ts';
import { KafkaSecurity } from './kafka-security.ts';
import { ObjectStoreConfig } from './object-store.ts';

const hostAndPort = /^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+):([1-9]\d{0,4})$/;

/** Keys for the listening address, the data stores and the first Admin. */
export class InstallationKeys {
  @Key('Listening address of the edge; in the cluster, of the service.')
  @Text('an IP address or host name', /^[A-Za-z0-9.:_-]{1,253}$/)
  readonly host: string = '127.0.0.1';

  @Key('Listening port of the edge; in the cluster, of the service. 0 selects a free port.') @Whole(0, 65_535) readonly port: number = 8080;

  @Key('Public base URL of the edge. All links and endpoint addresses in answers start with it.', {
    defaultText: 'http://{host}:{port}',
  })
  @ValidateIf((keys: InstallationKeys) => keys.publicBaseUrl !== '')
  @WebAddress()
  readonly publicBaseUrl: string = '';

  @Key('Data directory of the single process.') @FilePath() readonly dataDir: string = './data';

  @Key('E-mail address of the first Admin. The account is created at the first start.') @IsOptional() @EmailAddress() readonly adminEmail:
    | string
    | null = null;

  @Key('Password of the first Admin. If not set, a random one is generated and printed once.', { secret: true })
  @IsOptional()
  @TextBy(`${SHORTEST_PASSWORD} to ${LONGEST_PASSWORD} characters`, isNewPassword)
  readonly adminPassword: string | null = null;

  @Key(
    'Whether the first start of an installation makes the bot "Parlance Guide", which answers questions about the product for all users. Later changes have no effect.',
  )
  @Flag()
  readonly guideBot: boolean = true;

  @Key(
    'MongoDB 8.0 or newer, as a replica set or sharded cluster, for event stores and read models. A single server is refused at the start. If not set, SQLite is used.',
    { secret: true },
  )
  @IsOptional()
  @Text('an address that begins with mongodb:// or mongodb+srv://', /^mongodb(\+srv)?:\/\/\S+$/)
  readonly mongoUri: string | null = null;

  @Key('Apache Kafka brokers. If not set, the embedded broker is used.')
  @ListOf('brokers, each host:port', (item) => Number(hostAndPort.exec(item)?.[2] ?? 65_536) <= 65_535)
  readonly kafkaBrokers: readonly string[] = [];

  @Key('TLS and SASL of the connections to Kafka. If not set, they are neither encrypted nor authenticated.')
  @IsOptional()
  @Nested(KafkaSecurity)
  readonly kafkaSecurity: KafkaSecurity | null = null;

  @Key(
    'Begins the names of all topics, consumer groups and transactional IDs, so that several installations can share a cluster. Set it before the first start: another prefix means other, empty topics.',
  )
  @Text('empty, or up to 32 letters, digits, dots, hyphens and underscores that end with one of . - _', /^([A-Za-z0-9._-]{1,31}[._-])?$/)
  readonly kafkaPrefix: string = '';

  @Key('Partitions of each new topic. This is also the maximum number of replicas of a service that share its work.')
  @Whole(1, 1_000)
  readonly kafkaPartitions: number = 6;

  @Key(
    'Replication factor of each new topic. 3 is usual with three brokers. 1 is refused in production (NODE_ENV) without `allowSingleBroker`.',
  )
  @Whole(1, 15)
  readonly kafkaReplicationFactor: number = 1;

  @Key(
    'Copies that a write to a new topic waits for (min.insync.replicas). If not set, 2 with a replication factor of 3 or more, otherwise 1.',
  )
  @IsOptional()
  @Whole(1, 15)
  readonly kafkaMinInsyncReplicas: number | null = null;

  @Key(
    'Whether a replication factor of 1 is accepted in production. Events that are not yet delivered are then lost with the disk of a broker.',
  )
  @Flag()
  readonly allowSingleBroker: boolean = false;

  @Key(
    'Retention of events in topics, in days. Read models of a service that was down for longer are updated from the event logs of the source services.',
  )
  @Whole(1, 3_650)
  readonly topicRetentionDays: number = RETENTION_DAYS;

  @Key('How long deliveries to webhooks are listed after they have ended, in days. Of each webhook at most the newest 10,000 are kept.')
  @Whole(1, 365)
  readonly webhookRetentionDays: number = 14;

  @Key('How long calls of models without a bot are listed, in days. Their costs stay in reports.')
  @Whole(1, 3_650)
  readonly callRetentionDays: number = 90;

  @Key('Object store for files.')
  @IsOptional()
  @Nested(ObjectStoreConfig)
  readonly objectStore: ObjectStoreConfig | null = null;
}
