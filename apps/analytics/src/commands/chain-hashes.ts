import { createHash, createHmac, createSecretKey } from 'node:crypto';
import type { MasterKey } from '@parlance/privacy';
import type { ChainHashes } from '../domain/audit-chain.ts';

/** The hashes of the audit log. Keyed hashes need the master key, so access to the database alone is not enough to forge them. */
export function chainHashes(master: Pick<MasterKey, 'derive'>): ChainHashes {
  const key = createSecretKey(master.derive('audit-trail'));
  return {
    keyed: (text) => createHmac('sha256', key).update(text).digest('hex'),
    plain: (text) => createHash('sha256').update(text).digest('hex'),
  };
}
