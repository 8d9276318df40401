import type { Objection } from '../embedding-model.ts';
import type { InstallationKeys } from './installation-keys.ts';

type Copies = Pick<InstallationKeys, 'kafkaBrokers' | 'kafkaReplicationFactor' | 'kafkaMinInsyncReplicas' | 'allowSingleBroker'>;

/** An error if topics could not be written, or would be lost with one broker of a production installation. */
export function copiesObjection(config: Copies, isProduction: boolean): Objection | null {
  const { kafkaBrokers, kafkaReplicationFactor: factor, kafkaMinInsyncReplicas: least, allowSingleBroker } = config;
  if (kafkaBrokers.length === 0) return null;
  if (least !== null && least > factor)
    return { path: 'kafkaMinInsyncReplicas', value: least, allowed: `at most ${factor}, the value of kafkaReplicationFactor` };
  if (factor === 1 && isProduction && !allowSingleBroker)
    return {
      path: 'kafkaReplicationFactor',
      value: factor,
      allowed: 'at least 2, better 3, in production (NODE_ENV), unless allowSingleBroker is true',
    };
  return null;
}
