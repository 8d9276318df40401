/** A second listener, with TLS. Files are PEM. */
export interface SecuredListener {
  readonly port: number;
  /** The certificate of the broker and its key. */
  readonly keyStore: string;
  /** Certificates of clients. If set, clients need a certificate. */
  readonly trustStore?: string;
  /** The SASL mechanism and the line of its login module. */
  readonly mechanism?: string;
  readonly login?: string;
}

/** A node that is both broker and controller. */
export interface KafkaNode {
  readonly port: number;
  readonly controllerPort: number;
  readonly data: string;
  readonly secured?: SecuredListener;
}

/**
 * The settings of node `id` of a cluster of these nodes, with little memory. A killed broker can register again only after its last session has
 * expired, so the session of a single one is short. Several have Kafka's own times, because a test measures how long one of them is missing.
 */
export function kafkaProperties(nodes: readonly KafkaNode[], id = 1): string {
  const { port, controllerPort, data, secured } = nodes[id - 1] as KafkaNode;
  const [copies, least] = nodes.length >= 3 ? [3, 2] : [1, 1];
  return `process.roles=broker,controller
node.id=${id}
controller.quorum.voters=${nodes.map((node, index) => `${index + 1}@127.0.0.1:${node.controllerPort}`).join(',')}
listeners=PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}${secured ? `,SECURED://127.0.0.1:${secured.port}` : ''}
advertised.listeners=PLAINTEXT://127.0.0.1:${port}${secured ? `,SECURED://localhost:${secured.port}` : ''}
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SECURED:${secured?.mechanism ? 'SASL_SSL' : 'SSL'}
controller.listener.names=CONTROLLER
inter.broker.listener.name=PLAINTEXT
log.dirs=${data}
auto.create.topics.enable=false
offsets.retention.minutes=40320
offsets.topic.num.partitions=1
offsets.topic.replication.factor=${copies}
transaction.state.log.num.partitions=1
transaction.state.log.replication.factor=${copies}
transaction.state.log.min.isr=${least}
share.coordinator.state.topic.num.partitions=1
share.coordinator.state.topic.replication.factor=${copies}
share.coordinator.state.topic.min.isr=${least}
group.initial.rebalance.delay.ms=0
num.network.threads=2
num.io.threads=4
log.cleaner.dedupe.buffer.size=8388608
log.index.size.max.bytes=1048576
log.segment.bytes=67108864
controlled.shutdown.enable=false
${nodes.length === 1 ? 'broker.heartbeat.interval.ms=500\nbroker.session.timeout.ms=3000\n' : ''}${secured ? propertiesOf(secured) : ''}`;
}

function propertiesOf({ keyStore, trustStore, mechanism, login }: SecuredListener): string {
  const name = 'listener.name.secured';
  const lines = [`${name}.ssl.keystore.type=PEM`, `${name}.ssl.keystore.location=${keyStore}`];
  if (trustStore)
    lines.push(`${name}.ssl.truststore.type=PEM`, `${name}.ssl.truststore.location=${trustStore}`, `${name}.ssl.client.auth=required`);
  if (mechanism) lines.push(`${name}.sasl.enabled.mechanisms=${mechanism}`, `${name}.${mechanism.toLowerCase()}.sasl.jaas.config=${login}`);
  return `${lines.join('\n')}\n`;
}
