import type { Document } from 'mongodb';

/** The `maxWireVersion` of MongoDB 8.0. */
const OLDEST_PROTOCOL = 25;

/** Thrown when a store is opened on a server that cannot be used. */
export class UnsuitableServer extends Error {
  constructor(reason: string) {
    super(`mongoUri: ${reason}`);
    this.name = 'UnsuitableServer';
  }
}

/** Checks the answer to `hello`. */
export function requireSuitable({ setName, msg, maxWireVersion }: Document): void {
  // A single server has no transactions, and may lose acknowledged writes in a crash.
  if (setName === undefined && msg !== 'isdbgrid')
    throw new UnsuitableServer(
      'MongoDB runs as a single server; a replica set is required (one member is enough: start mongod with --replSet)',
    );
  // Earlier servers cannot write to several collections in one command.
  if (!(Number(maxWireVersion) >= OLDEST_PROTOCOL))
    throw new UnsuitableServer(
      `MongoDB 8.0 or newer is required; this server speaks version ${String(maxWireVersion)} of its protocol, and ${OLDEST_PROTOCOL} is needed`,
    );
}
