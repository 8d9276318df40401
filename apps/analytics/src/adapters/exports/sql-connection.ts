import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { EngineLimits } from './messages.ts';

/** Opens a connection. An empty `temp_directory` prevents the engine from writing anything to disk except the files of an order. */
export async function openConnection({ memoryMebibytes, threads }: EngineLimits): Promise<DuckDBConnection> {
  const instance = await DuckDBInstance.create(':memory:', {
    memory_limit: `${memoryMebibytes}MiB`,
    threads: String(threads),
    temp_directory: '',
    secret_directory: '/nowhere',
    allow_community_extensions: 'false',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  });
  return instance.connect();
}
