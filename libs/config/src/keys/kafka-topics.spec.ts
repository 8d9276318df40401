import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '../loading/load-config.ts';
import { complaint, cwd, load } from '../../test/load.ts';

describe('the copies of events on Kafka', () => {
  const inProduction = (variables: Record<string, string>) => loadConfig({ argv: [], env: { NODE_ENV: 'production', ...variables }, cwd });
  const brokers = { PARLANCE_KAFKA_BROKERS: 'a:9092' };

  it('are at least two in production', () => {
    expect(() => inProduction(brokers)).toThrow(
      'kafkaReplicationFactor = 1 (default) is not allowed: it has to be at least 2, better 3, in production (NODE_ENV), unless allowSingleBroker is true',
    );
    expect(inProduction({ ...brokers, PARLANCE_KAFKA_REPLICATION_FACTOR: '2' }).kafkaReplicationFactor).toBe(2);
  });
  it('may be one outside production, with the embedded broker, and if a single broker is allowed', () => {
    expect(load(null, { KAFKA_BROKERS: 'a:9092' }).kafkaReplicationFactor).toBe(1);
    expect(inProduction({}).kafkaReplicationFactor).toBe(1);
    expect(inProduction({ ...brokers, PARLANCE_ALLOW_SINGLE_BROKER: 'true' }).kafkaReplicationFactor).toBe(1);
  });
  it('that a write waits for cannot exceed the copies that there are', () => {
    const config = { kafkaBrokers: ['a:9092'], kafkaReplicationFactor: 2, kafkaMinInsyncReplicas: 3 };
    expect(complaint(config)).toContain('kafkaMinInsyncReplicas = 3 ');
    expect(load({ ...config, kafkaMinInsyncReplicas: 2 }).kafkaMinInsyncReplicas).toBe(2);
  });
});
