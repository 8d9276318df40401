import { type Metadata, newId } from '@parlance/event-store';
import { commitsOf, cutLogs, Inserts, type LogCut, restoreLog, timeOf } from '@parlance/event-store/mongo-copies';
import type { Db, Document } from 'mongodb';
import { DUMPED, type Dumped, DumpWriter, readDump } from './database-dump.ts';
import type { Mark } from '../mark.ts';
import { databasesOf, type MongoDatabases } from '../mongo-databases.ts';
import { refusalInMongo, stampRestored } from '../mongo-installation.ts';
import { markRestore, unfinishedRestore, unmarkRestore } from '../mongo-restore-mark.ts';

/** A commit as the database stores it. */
export type DumpedCommit = Awaited<ReturnType<ReturnType<typeof commitsOf>['next']>>['value'] & object;
export { type Dumped, readDump } from './database-dump.ts';
export { timeOf } from '@parlance/event-store/mongo-copies';
type OnDocument = (service: string, position: number, head: number) => void;

export interface DumpedDatabase extends Mark {
  readonly prunedBefore: number;
  /** The position up to which the events are known to be in Kafka. Absent in backups of earlier releases. */
  readonly relayed?: number;
}

/** What the relay of a service publishes after a restore. */
export interface Republished {
  /** Everything after this position. */
  readonly after: number;
  /** How many of these commits are older than `republishFrom`, because they were never sent. */
  readonly late: number;
}

/** A document of `MongoRelayCheckpoints`. */
interface Checkpoint {
  readonly _id: string;
  readonly epoch: number;
  readonly position: number;
  readonly owner: null;
  readonly expires: number;
}

const relayOf = (service: string): string => `parlance.${service}`;

const reading = { readConcern: { level: 'majority' }, readPreference: 'primary' } as const;
const durable = { writeConcern: { w: 'majority', journal: true } } as const;

/** The databases of an installation, for backups. */
export class DatabaseCopies {
  private constructor(
    private readonly databases: MongoDatabases,
    private readonly services: readonly string[],
  ) {}

  static async open(uri: string, services: readonly string[]): Promise<DatabaseCopies> {
    return new DatabaseCopies(await databasesOf(uri, 'operator'), services);
  }

  close(): Promise<void> {
    return this.databases.client.close();
  }

  /** The ID of the installation; null if there is none. */
  async installation(): Promise<string | null> {
    const stamp = await this.databases.shared.collection('installation', reading).findOne();
    return (stamp?.['installation'] as string | undefined) ?? null;
  }

  /** The newest position of each log; 0 without a log. */
  async heads(): Promise<Readonly<Record<string, number>>> {
    return Object.fromEntries([...(await this.cut())].map(([service, cut]) => [service, cut?.head ?? 0]));
  }

  /** Why a service would refuse to start with its log, by service. */
  async refusals(): Promise<readonly Error[]> {
    const found: Error[] = [];
    for (const service of this.services) {
      const refusal = await refusalInMongo({ shared: this.databases.shared, own: this.databases.of(service) }, service);
      if (refusal) found.push(refusal);
    }
    return found;
  }

  /** The position up to which each relay has sent its log. At a later moment, it may have sent more. */
  async relayed(): Promise<ReadonlyMap<string, number>> {
    const positions = this.services.map(async (service) => {
      const checkpoint = await this.databases
        .of(service)
        .collection<Checkpoint>('relay_checkpoints', reading)
        .findOne({ _id: relayOf(service) });
      return [service, checkpoint?.position ?? 0] as const;
    });
    return new Map(await Promise.all(positions));
  }

  /** The services whose relay holds its lease, because they run or have been killed within its duration. */
  async running(): Promise<readonly string[]> {
    const held = await Promise.all(
      this.services.map((service) =>
        this.databases
          .of(service)
          .collection('relay_checkpoints', reading)
          // The server's clock, because relays set the end of their lease by it.
          .findOne({ owner: { $ne: null }, $expr: { $gt: ['$expires', { $toLong: '$$NOW' }] } }),
      ),
    );
    return this.services.filter((_, index) => held[index]);
  }

  /** When a restore began that has not finished; null if there is none. */
  unfinishedRestore(): Promise<Date | null> {
    return unfinishedRestore(this.databases.shared);
  }

  /** Marks the databases as being restored, and removes the ID of the installation. No service starts until `restore` has finished. */
  async begin(): Promise<void> {
    await markRestore(this.databases.shared);
    // Releases that do not know the mark of a restore refuse to start if they find their own stamp and no shared one.
    for (const service of this.services) await stampRestored(this.databases.of(service), newId());
    await empty(this.databases.shared, ['installation', 'installation_marks']);
  }

  /** All logs at this moment. */
  cut(): Promise<ReadonlyMap<string, LogCut | null>> {
    return cutLogs(this.databases.client, new Map(this.services.map((service) => [service, this.databases.of(service)])));
  }

  /** The documents of a service at a cut. Keys come as they are now, so a key that has been destroyed since the cut is not among them. */
  async *documents(service: string, cut: LogCut | null, onDocument?: OnDocument): AsyncGenerator<Dumped> {
    const db = this.databases.of(service);
    for (const name of DUMPED.slice(1)) for await (const document of db.collection(name, reading).find()) yield { in: name, document };
    if (cut === null) return;
    let position = 0;
    for await (const document of commitsOf(db, cut)) {
      position = document.position ?? position;
      onDocument?.(service, position, cut.head);
      yield { in: 'commits', document };
    }
  }

  async dump(service: string, cut: LogCut | null, path: string, onDocument?: OnDocument): Promise<DumpedDatabase> {
    const writer = await DumpWriter.create(path);
    let commit: string | null = null;
    try {
      for await (const dumped of this.documents(service, cut, onDocument)) {
        await writer.add(dumped);
        if (dumped.in === 'commits' && dumped.document['position'] === cut?.head) commit = firstIdOf(dumped.document);
      }
      await writer.finish();
    } finally {
      await writer.close();
    }
    return { position: cut?.head ?? 0, commit, prunedBefore: cut?.prunedBefore ?? 1 };
  }

  /**
   * Replaces all databases by those of a backup, after `begin`. The relays publish again what is not older than `republishFrom`, and what they had
   * not sent. The ID of the installation is written last, and then the mark of the restore is removed.
   */
  async restore(
    dumps: Readonly<Record<string, DumpedDatabase>>,
    {
      pathOf,
      republishFrom,
      namesKeptUntil,
      onDocument,
    }: {
      readonly pathOf: (service: string) => string;
      readonly republishFrom: Metadata['at'];
      readonly namesKeptUntil: Date;
      readonly onDocument?: OnDocument;
    },
  ): Promise<ReadonlyMap<string, Republished>> {
    const { shared, of } = this.databases;
    const id = newId();
    const republished = new Map<string, Republished>();
    for (const service of this.services) {
      await empty(of(service));
      await stampRestored(of(service), id);
    }
    for (const [service, dumped] of Object.entries(dumps)) {
      const recent = await this.fill(service, dumped, { path: pathOf(service), republishFrom, namesKeptUntil, onDocument });
      const position = Math.min(recent, dumped.relayed ?? recent);
      republished.set(service, { after: position, late: recent - position });
      await of(service)
        .collection<Checkpoint>('relay_checkpoints', durable)
        .insertOne({ _id: relayOf(service), epoch: 0, position, owner: null, expires: 0 });
    }
    await stampRestored(shared, id, dumps);
    await unmarkRestore(shared);
    return republished;
  }

  /** Returns the position up to which events are older than `republishFrom`. */
  private async fill(
    service: string,
    { position: head, prunedBefore }: DumpedDatabase,
    {
      path,
      republishFrom,
      namesKeptUntil,
      onDocument,
    }: { path: string; republishFrom: Metadata['at']; namesKeptUntil: Date; onDocument: OnDocument | undefined },
  ): Promise<number> {
    const db = this.databases.of(service);
    let relayed: number | null = null;
    async function* commits() {
      for await (const dumped of others(db, readDump(path))) {
        const commit = dumped.document as DumpedCommit;
        const { position = head } = commit;
        if (relayed === null && timeOf(commit) >= republishFrom) relayed = position - 1;
        onDocument?.(service, position, head);
        yield commit;
      }
    }
    await restoreLog(db, commits(), { prunedBefore, namesKeptUntil });
    return relayed ?? head;
  }
}

/** Inserts all documents that are not commits, and passes on the commits. */
async function* others(db: Db, dump: AsyncIterable<Dumped>): AsyncGenerator<Dumped> {
  let name: Dumped['in'] = 'subject_keys';
  let inserts = new Inserts<Document>(db.collection(name, durable));
  for await (const dumped of dump) {
    if (dumped.in !== name) {
      await inserts.flush();
      name = dumped.in;
      inserts = new Inserts(db.collection(name, durable));
    }
    if (name === 'commits') yield dumped;
    else await inserts.add(dumped.document);
  }
  await inserts.flush();
}

/** Drops all collections, or these. Users of a database may do this without the right to drop the database. */
async function empty(db: Db, only?: readonly string[]): Promise<void> {
  for (const { collectionName } of await db.collections({ nameOnly: true }))
    if (only?.includes(collectionName) ?? !collectionName.startsWith('system.')) await db.dropCollection(collectionName, durable);
}

const firstIdOf = ({ events }: Document): string | null => (JSON.parse(events as string) as { id: string }[])[0]?.id ?? null;
