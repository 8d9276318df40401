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

/**
 * The settings of one node that is both broker and controller, with little memory. A killed broker can register again only after its last session
 * has expired, so the session is short.
 */
export function kafkaProperties(port: number, controllerPort: number, data: string, secured: SecuredListener | null = null): string {
  return `process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:${controllerPort}
listeners=PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}${secured ? `,SECURED://127.0.0.1:${secured.port}` : ''}
advertised.listeners=PLAINTEXT://127.0.0.1:${port}${secured ? `,SECURED://localhost:${secured.port}` : ''}
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SECURED:${secured?.mechanism ? 'SASL_SSL' : 'SSL'}
controller.listener.names=CONTROLLER
inter.broker.listener.name=PLAINTEXT
log.dirs=${data}
auto.create.topics.enable=false
offsets.topic.num.partitions=1
offsets.topic.replication.factor=1
transaction.state.log.num.partitions=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
share.coordinator.state.topic.num.partitions=1
share.coordinator.state.topic.replication.factor=1
share.coordinator.state.topic.min.isr=1
group.initial.rebalance.delay.ms=0
num.network.threads=2
num.io.threads=4
log.cleaner.dedupe.buffer.size=8388608
log.index.size.max.bytes=1048576
log.segment.bytes=67108864
controlled.shutdown.enable=false
broker.heartbeat.interval.ms=500
broker.session.timeout.ms=3000
${secured ? propertiesOf(secured) : ''}`;
}

function propertiesOf({ keyStore, trustStore, mechanism, login }: SecuredListener): string {
  const name = 'listener.name.secured';
  const lines = [`${name}.ssl.keystore.type=PEM`, `${name}.ssl.keystore.location=${keyStore}`];
  if (trustStore)
    lines.push(`${name}.ssl.truststore.type=PEM`, `${name}.ssl.truststore.location=${trustStore}`, `${name}.ssl.client.auth=required`);
  if (mechanism) lines.push(`${name}.sasl.enabled.mechanisms=${mechanism}`, `${name}.${mechanism.toLowerCase()}.sasl.jaas.config=${login}`);
  return `${lines.join('\n')}\n`;
}
