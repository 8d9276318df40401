import { AdapterUnavailable } from '../indexes/errors.ts';

export type Lance = typeof import('@lancedb/lancedb');

/** LanceDB is loaded on demand, because its native part is 180 MB and is not installed everywhere. */
export async function loadLance(load: () => Promise<Lance> = () => import('@lancedb/lancedb')): Promise<Lance> {
  try {
    return await load();
  } catch (cause) {
    const platform = `${process.platform}-${process.arch}${process.platform === 'linux' ? '-gnu' : ''}`;
    throw new AdapterUnavailable(
      `LanceDB can't be loaded on ${platform}. Install its native part with \`npm install @lancedb/lancedb-${platform}\` in the version of @lancedb/lancedb, or keep all indexes in SQLite.`,
      cause,
    );
  }
}
