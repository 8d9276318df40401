export {
  type BatchLimit,
  Broker,
  type CloudEvent,
  type DeadLetter,
  type Delivery,
  Fenced,
  type Lag,
  NotDrained,
  NotNow,
  type Outgoing,
  type Publisher,
  RETENTION_DAYS,
  type RetryPolicy,
  type SubscribeOptions,
  type Subscription,
  type Trimmed,
} from './broker.ts';
export { defaultRetry, type Report } from './retry.ts';
export { SteadyReports } from './steady-report.ts';
export { connectBroker } from './connect-broker.ts';
export { onceName } from './inbox.ts';
export { NewerEvents } from './newer-events.ts';
export { LogBroker, type ServiceLog } from './log-broker.ts';
export { Outbox } from './relay/outbox.ts';
export { Relay, type RelayOptions, RelayStopped } from './relay/relay.ts';
export { RelayCheckpoints, type RelayLease } from './relay/relay-checkpoints.ts';
export { BrokerTransport, type BrokerTransportOptions, DeliveryContext, topicOf } from './transport.ts';
