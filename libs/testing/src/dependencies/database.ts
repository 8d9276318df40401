import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { cachePath } from './cache.ts';
import { freePort } from '../free-port.ts';
import { patience } from '../patience.ts';
import { pythonWith } from './python.ts';
import { givenServer, type Place, placeFor, type Server, startServer } from '../server.ts';

const VENV = 'mongo/venv';
const STAND_IN = 'SecantusDB==0.7.0b3';

/**
 * Starts the stand-in with other limits. It looks through the records of all retryable writes of half an hour at each write, although the driver
 * repeats a write within seconds. And it makes each access to a page of over 5 MB wait, while it tries to write the page to disk.
 */
const START = `
import sys
import wiredtiger
from secantus import cli, transactions

transactions._RETRYABLE_RECORD_LIFETIME_SECONDS = 60.0
transactions._RETRYABLE_RECORD_MAX = 500
create, connect = wiredtiger.Session.create, wiredtiger.wiredtiger_open
dirty = ',eviction_dirty_target=40,eviction_dirty_trigger=60,eviction_updates_target=20,eviction_updates_trigger=30'
wiredtiger.Session.create = lambda self, name, config: create(self, name, config + ',memory_page_max=256MB')
wiredtiger.wiredtiger_open = lambda home, config: connect(home, config + dirty)
sys.exit(cli.main())`;

export interface Database extends Server {
  /** Returns the name of an unused database. Further databases of the test should begin with `prefix`, so that they are removed too. */
  readonly uri: string;
  readonly prefix: string;
}

export function databasePath(): string {
  return cachePath(VENV);
}

/**
 * A MongoDB-compatible server: the one at MONGODB_URI, otherwise a new instance of the stand-in. A call with a directory or `isOwn` always gets its
 * own stand-in, which may be killed. Rejects if the server cannot be fetched or does not start.
 */
export async function database(place: Place = {}): Promise<Database> {
  const prefix = `parlance_${randomBytes(4).toString('hex')}`;
  const configured = process.env.MONGODB_URI;
  if (configured && place.directory === undefined && !place.isOwn) {
    const uri = withDatabase(configured, prefix);
    return { uri, prefix, ...givenServer('The database', () => dropDatabases(uri, prefix)) };
  }
  const python = await pythonWith(VENV, [STAND_IN]);
  const port = await freePort();
  const uri = `mongodb://127.0.0.1:${port}/${prefix}`;
  const where = await placeFor('mongo', place);
  const server = await startServer(
    {
      name: 'The database',
      command: python,
      // Only with --sync-on-commit is an acknowledged write on disk when the process is killed.
      args: [
        '-c',
        START,
        '--cache-size',
        '2G',
        '--host',
        '127.0.0.1',
        '--port',
        String(port),
        '--storage-path',
        join(where.directory, 'data'),
        '--sync-on-commit',
        // For `answerNext`.
        '--enable-test-commands',
        '--log-level',
        'WARNING',
      ],
      ready: () => ping(uri),
    },
    where,
  );
  return Object.assign(server, { uri, prefix });
}

/**
 * Counts the reads and writes that a server has carried out. Waits for changes are left out: the stand-in ends them at every write of any collection,
 * MongoDB at a change or after their time.
 */
export async function databaseOperations(uri: string): Promise<{ count(): Promise<number>; close(): Promise<void> }> {
  const client = await new MongoClient(uri).connect();
  return {
    async count() {
      const { opcounters } = (await client.db('admin').command({ serverStatus: 1 })) as { opcounters: Record<string, number> };
      return ['insert', 'query', 'update', 'delete'].reduce((sum, each) => sum + opcounters[each]!, 0);
    },
    close: () => client.close(),
  };
}

async function ping(uri: string): Promise<void> {
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: patience(5_000) });
  try {
    await client.db().command({ ping: 1 });
  } finally {
    await client.close();
  }
}

async function dropDatabases(uri: string, prefix: string): Promise<void> {
  const client = new MongoClient(uri);
  try {
    const { databases } = await client.db().admin().listDatabases({ nameOnly: true });
    for (const { name } of databases) if (name.startsWith(prefix)) await client.db(name).dropDatabase();
  } finally {
    await client.close();
  }
}

// Not parsed as a URL, because a connection string may have several hosts. The database in its path is also the default of
// authSource.
function withDatabase(uri: string, name: string): string {
  const [, start = uri, before = '', query = ''] = /^(mongodb(?:\+srv)?:\/\/[^/?]+)\/?([^?]*)\??(.*)$/.exec(uri) ?? [];
  const options = new URLSearchParams(query);
  if (start.includes('@') && !options.has('authSource')) options.set('authSource', before || 'admin');
  return `${start}/${name}${options.size > 0 ? `?${options}` : ''}`;
}
