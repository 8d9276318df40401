import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '@parlance/config';
import { masterKeyThere } from '@parlance/foundation';
import { LocalMasterKey, ServiceKey, serviceKeyText } from '@parlance/privacy';
import { NotDone } from '../not-done.ts';
import { services } from '../services.ts';
import { PURPOSES } from './purposes.ts';

/**
 * `parlance service-keys DIR`: writes a key for each service of a cluster, and wraps the stored keys of each service with its own key. Services that
 * still have the master key read both, so all may run. Each run writes the same keys.
 */
export async function serviceKeys(config: Config, [directory]: readonly string[]): Promise<void> {
  if (directory === undefined) throw new NotDone('name a directory for the keys: parlance service-keys DIR');
  if (config.mongoUri === null) throw new NotDone('only a cluster has keys of services: set mongoUri');
  const master = masterKeyThere(config);
  if (!(master instanceof LocalMasterKey)) throw new NotDone('the keys of services are made from the master key: set masterKeyFile');
  const { RewrappedKeys } = await import('../adapters/rewrapped-keys.ts');
  const stored = await RewrappedKeys.open(config.mongoUri);
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    for (const { name } of services) {
      const grant = master.grant(name, PURPOSES[name]!, { keepsUserKeys: name === 'identity' });
      const own = new ServiceKey(grant);
      const changed = await stored.rewrap(name, (wrapped, id) => own.adopt(wrapped, id, master));
      const file = join(directory, `${name}.key`);
      writeFileSync(file, `${serviceKeyText(grant)}\n`, { mode: 0o600 });
      process.stdout.write(`${name.padEnd(12)}${file}, ${changed} stored keys wrapped with it\n`);
    }
  } finally {
    await stored.close();
  }
  process.stdout.write('Give each service its own file as masterKeyFile. Keep the master key, apart from the services: backups need it.\n');
}
