import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { newId } from '@parlance/event-store';
import type { Schema, SqliteFile } from '@parlance/sqlite';
import type { Config } from '@parlance/config';
import { BROKER, lookInto, markIn } from './file-looks.ts';
import { Keeper } from './keeper.ts';
import { LogSeals } from './log-seals.ts';
import { type Manifest, MANIFEST, ManifestUnreadable, newManifest, readManifest, writeManifest } from './manifest.ts';
import { type Found, isSame, LogRefused, type Mark, NOTHING, objectionTo, RestoreUnfinished } from './mark.ts';

/** The folder of a restore in the data directory, until the restored files and their manifest are in place. */
export const RESTORING = 'restoring';
/** Marks are written at most this often, and only if a log has grown. */
const SAVE_MILLIS = 1_000;

const SCHEMA: Schema = {
  module: 'installation',
  steps: ['CREATE TABLE installation (one INTEGER PRIMARY KEY CHECK (one = 1), installation TEXT NOT NULL, beat INTEGER NOT NULL)'],
};

/** Which logs this configuration keeps in the data directory; the others are in MongoDB or Kafka. */
export interface Uses {
  readonly logs: boolean;
  readonly broker: boolean;
}

export const filesUsed = ({ mongoUri, kafkaBrokers }: Pick<Config, 'mongoUri' | 'kafkaBrokers'>): Uses => ({
  logs: mongoUri === null,
  broker: kafkaBrokers.length === 0,
});

interface Kept {
  readonly file: SqliteFile;
  /** Null for the broker. */
  readonly seals: LogSeals | null;
}

/** The installation in a data directory. Its ID is in every file; the manifest has the ID and the marks of all logs. */
export class FileInstallation {
  private readonly kept = new Map<string, Kept>();
  private readonly released = new Map<string, Mark>();
  private readonly keeper: Keeper;

  private constructor(
    private readonly directory: string,
    private manifest: Manifest,
    onError: (error: unknown) => void,
  ) {
    this.keeper = new Keeper(SAVE_MILLIS, () => this.save(), onError);
  }

  /** Rejects with `LogRefused` if a log ends before its mark, and with `RestoreUnfinished`. A directory without data becomes a new installation. */
  static async open(directory: string, uses: Uses, onError: (error: unknown) => void = () => undefined): Promise<FileInstallation> {
    const [refused] = refusals(directory, uses);
    if (refused) throw refused;
    let manifest = readManifest(directory);
    if (!manifest) await writeManifest(directory, (manifest = newManifest(newId())));
    return new FileInstallation(directory, manifest, onError);
  }

  get id(): string {
    return this.manifest.installation;
  }

  /** Adds a log that was just opened to the installation, and keeps its mark up to date from now on. Rejects with `LogRefused`. */
  async keep(name: string, file: SqliteFile): Promise<void> {
    await file.migrate(SCHEMA);
    await file.write((transaction) => transaction.run('INSERT INTO installation VALUES (1, ?, 0) ON CONFLICT DO NOTHING', this.id));
    const { installation } = file.get<{ installation: string }>('SELECT installation FROM installation')!;
    const found: Found = { installation, exists: true, position: 0, commitAtMark: null };
    const objection = objectionTo(found, this.id, NOTHING);
    if (objection) throw refusal(this.directory, name, objection);
    this.kept.set(name, { file, seals: name === BROKER ? null : await LogSeals.open(file) });
  }

  /** Writes the last mark of a log. Its file may be closed afterwards. */
  async release(name: string): Promise<void> {
    const kept = this.kept.get(name);
    if (!kept) return;
    if (name === BROKER) await beat(kept.file);
    const mark = markIn(kept.file, name);
    await kept.seals?.advance(mark.position, true);
    this.kept.delete(name);
    this.released.set(name, mark);
    await this.keeper.now();
  }

  stop(): Promise<void> {
    return this.keeper.stop();
  }

  private async save(): Promise<void> {
    const marks = this.marks();
    if (!Object.entries(marks).every(([name, mark]) => isSame(this.manifest.logs[name], mark))) await this.write();
    for (const [name, { seals }] of this.kept) await seals?.advance(this.manifest.logs[name]?.position ?? 0);
  }

  private async write(): Promise<void> {
    const broker = this.kept.get(BROKER)?.file;
    // A mark is written to the file before the manifest, so the manifest is never ahead of the file.
    if (broker) await beat(broker);
    const manifest = { ...this.manifest, logs: { ...this.manifest.logs, ...this.marks() } };
    await writeManifest(this.directory, manifest);
    this.manifest = manifest;
  }

  private marks(): Record<string, Mark> {
    const kept = Array.from(this.kept, ([name, { file }]) => [name, markIn(file, name, this.manifest.logs[name])] as const);
    return Object.fromEntries([...this.released, ...kept]);
  }
}

/** Increments the mark of the broker's file. */
async function beat(file: SqliteFile): Promise<void> {
  await file.write((transaction) => transaction.run('UPDATE installation SET beat = beat + 1'));
}

export const pathOf = (directory: string, log: string) => join(directory, `${log}.db`);

/** The logs that have a file in a directory. */
export function logsIn(directory: string): readonly string[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith('.db') && name !== 'lock.db')
    .map((name) => name.slice(0, -'.db'.length))
    .toSorted();
}

/** The logs of the installation that have a file; without a manifest, all logs with a file. */
export function ownLogs(directory: string): readonly string[] {
  let manifest: Manifest | null = null;
  try {
    manifest = readManifest(directory);
  } catch (error) {
    if (!(error instanceof ManifestUnreadable)) throw error;
  }
  return logsIn(directory).filter((log) => manifest === null || log in manifest.logs);
}

export function refusal(directory: string, log: string, reason: string): LogRefused {
  const remedy = 'put the file back, restore a backup (parlance restore DIR)';
  return new LogRefused(log, { where: log === MANIFEST ? join(directory, MANIFEST) : pathOf(directory, log), remedy }, reason);
}

/** All reasons why a start cannot use a directory. Changes nothing. Throws `RestoreUnfinished`. */
export function refusals(directory: string, uses: Uses): readonly LogRefused[] {
  let manifest: Manifest | null;
  try {
    manifest = readManifest(directory);
  } catch (error) {
    if (!(error instanceof ManifestUnreadable)) throw error;
    return [refusal(directory, MANIFEST, error.message.slice(join(directory, MANIFEST).length + 1))];
  }
  const used = (log: string) => (log === BROKER ? uses.broker : uses.logs);
  if (!manifest) {
    if (existsSync(join(directory, RESTORING))) throw new RestoreUnfinished(null);
    // Files of 0.2 and earlier have no installation ID. They are adopted by a new installation.
    const stamped = logsIn(directory).find((log) => used(log) && isStamped(directory, log));
    return stamped ? [refusal(directory, MANIFEST, `is missing, and ${stamped}.db belongs to an installation`)] : [];
  }
  const { installation, logs } = manifest;
  return Object.entries(logs).flatMap(([log, mark]) => {
    if (!used(log)) return [];
    const objection = reasonAgainst(directory, log, installation, mark);
    return objection ? [refusal(directory, log, objection)] : [];
  });
}

function reasonAgainst(directory: string, log: string, installation: string, mark: Mark): string | null {
  try {
    return objectionTo(lookInto(pathOf(directory, log), log, mark), installation, mark);
  } catch (error) {
    return `can't be read (${(error as Error).message})`;
  }
}

/** Also false for a file that is not a database; opening such a file reports the error. */
export function isStamped(directory: string, log: string): boolean {
  try {
    return lookInto(pathOf(directory, log), log, NOTHING).installation !== null;
  } catch {
    return false;
  }
}
