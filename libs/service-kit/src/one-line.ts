import { createServer } from 'node:net';
import { MasterKeyUnusable, WrongMasterKey } from '@parlance/privacy';
import { NewerSchema } from '@parlance/sqlite';
import type { Config } from './config/config.ts';
import { ConfigError } from './config/config-error.ts';
import { DataDirectoryUnusable } from './foundation/data-directory.ts';

/** Thrown before anything is written, when somebody else listens where this process is to. */
export class PortTaken extends Error {
  constructor(host: string, port: number, code: string) {
    super(
      code === 'EADDRINUSE'
        ? `port ${port} is taken: stop what listens there, or choose another with PARLANCE_PORT`
        : `can't listen on ${host}:${port} (${code}): choose another with PARLANCE_HOST and PARLANCE_PORT`,
    );
    this.name = 'PortTaken';
  }
}

/** Throws `PortTaken`. Asked before anything else is done, since a first start makes what is shown only once. */
export function requireFreePort(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => reject(new PortTaken(host, port, error.code ?? 'unknown')));
    server.listen(port, host, () => server.close(() => resolve()));
  });
}

const foreseen = [ConfigError, DataDirectoryUnusable, MasterKeyUnusable, WrongMasterKey, PortTaken];

/** What went wrong at the start, in one line that says what to do; null for what nobody foresaw. */
export function oneLine(error: unknown, config: Pick<Config, 'dataDir'> | null): string | null {
  if (error instanceof NewerSchema) {
    return `dataDir ${config?.dataDir ?? ''} was written by a newer version of Parlance: start that version, or choose another directory`;
  }
  return foreseen.some((type) => error instanceof type) ? (error as Error).message : null;
}
