import { DatabaseSync } from 'node:sqlite';
import { checksumOf, SEALED } from '@parlance/installation';

/** A problem in one file. `text` names the table, and the position or key where there is one. */
export interface Damage {
  readonly log: string;
  readonly text: string;
}

export interface StoredCommit {
  readonly position: number;
  readonly stream: string;
  readonly events: readonly { readonly id: string; readonly event: { readonly type: string } }[];
}

export interface Checked {
  readonly commits: number;
  readonly damages: readonly Damage[];
}

/** The maximum number of reported damages of one kind in one file. */
const MOST = 20;
/** Commits that are read at once. */
const PAGE = 500;
/** Columns with JSON, except those of the commits. */
const holdsJson = (table: string, column: string) =>
  ['row', 'event', 'letter'].includes(column) || (table.startsWith('snapshots') && column === 'state');

export interface CheckOptions {
  /** Called with each readable commit. */
  readonly onCommit?: (commit: StoredCommit) => void;
  /** Throws for a damaged wrapped key. Absent if there is no master key to check with. */
  readonly unwrap?: (wrapped: string, id: string) => unknown;
}

/** Checks one file completely, without changing it. */
export function checkFile(path: string, log: string, options: CheckOptions = {}): Checked {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
    return new Check(database, log, options).run();
  } catch (error) {
    return { commits: 0, damages: [{ log, text: printable(`the file cannot be read: ${(error as Error).message}`) }] };
  } finally {
    database?.close();
  }
}

interface CommitRow {
  readonly position: number;
  readonly stream: string;
  readonly text: Uint8Array;
  readonly events: Uint8Array;
  readonly metadata: Uint8Array;
}

/** A key that was wrapped by the master key (m1), or by another key (w1). */
const WRAPPED = /^(m1\.[\w-]+|w1)\.[\w-]+$/;

interface SealRow {
  readonly first: number;
  readonly last: number;
  readonly sums: Uint8Array;
}

class Check {
  private readonly damages: Damage[] = [];
  private readonly counts = new Map<string, number>();
  private readonly decoder = new TextDecoder('utf-8', { fatal: true });

  constructor(
    private readonly database: DatabaseSync,
    private readonly log: string,
    private readonly options: CheckOptions,
  ) {}

  run(): Checked {
    const tables = this.tables();
    this.integrity(tables);
    const commits = tables.has('commits') ? this.commits(tables.has('log_seals') ? this.seals() : () => undefined) : 0;
    if (tables.has('commits')) this.versions();
    if (tables.has('relay_checkpoints')) this.relay(commits);
    if (tables.has('subject_keys')) this.keys();
    for (const table of tables.keys()) this.texts(table);
    return { commits, damages: this.damages };
  }

  /** Names of tables, with the pages at which they and their indexes begin. */
  private tables(): Map<string, number[]> {
    const roots = new Map<string, number[]>();
    for (const { name, root } of this.all<{ name: string; root: number }>(
      "SELECT tbl_name AS name, rootpage AS root FROM sqlite_schema WHERE rootpage > 0 ORDER BY type = 'index'",
    ))
      roots.set(name, [...(roots.get(name) ?? []), root]);
    return roots;
  }

  private integrity(tables: ReadonlyMap<string, readonly number[]>): void {
    this.attempt('the structure', () => {
      for (const { integrity_check: message } of this.all<{ integrity_check: string }>('PRAGMA integrity_check')) {
        if (message === 'ok') continue;
        for (const line of message.split('\n')) {
          if (line.startsWith('*** in database')) continue;
          const root = Number(/^Tree (\d+)/.exec(line)?.[1]);
          const table = [...tables].find(([, roots]) => roots.includes(root))?.[0];
          this.found('structure', `${table ? `table ${table}: ` : ''}${line}`);
        }
      }
    });
  }

  /** Checks that positions have no gaps and that no text has changed. Returns the number of commits in the log. */
  private commits(sealOf: (position: number) => number | undefined): number {
    const read = this.database.prepare(`SELECT position, stream, CAST(text AS BLOB) AS text, CAST(events AS BLOB) AS events,
      CAST(metadata AS BLOB) AS metadata FROM (SELECT ${SEALED}, stream, events, metadata FROM commits WHERE position > ? ORDER BY position LIMIT ?)`);
    const head = this.head();
    let last = 0;
    let page = PAGE;
    while (last < head) {
      try {
        const rows = read.all(last, page) as unknown as CommitRow[];
        if (rows.length === 0) break;
        for (const row of rows) {
          if (row.position > last + 1) this.found('gap', `table commits, positions ${last + 1} to ${row.position - 1}: missing`);
          last = row.position;
          this.commit(row, sealOf(row.position));
        }
        page = PAGE;
      } catch (error) {
        // Reads one commit at a time up to the unreadable one, and skips that one.
        if (page === 1) this.found('unreadable', `table commits, position ${++last}: cannot be read: ${(error as Error).message}`);
        page = 1;
      }
    }
    if (last < head) this.found('gap', `table commits, positions ${last + 1} to ${head}: missing`);
    return head;
  }

  private head(): number {
    try {
      return this.all<{ head: number | null }>('SELECT max(position) AS head FROM commits')[0]?.head ?? 0;
    } catch {
      return 0;
    }
  }

  private commit({ position, stream, text, events, metadata }: CommitRow, seal: number | undefined): void {
    const location = `table commits, position ${position}`;
    if (seal !== undefined && checksumOf(text) !== seal)
      return void this.found('changed', `${location}: its text differs from the written one`);
    try {
      JSON.parse(this.decoder.decode(metadata));
      this.options.onCommit?.({ position, stream, events: JSON.parse(this.decoder.decode(events)) as StoredCommit['events'] });
    } catch (error) {
      this.found('changed', `${location}: its text is damaged: ${(error as Error).message.replaceAll(/\s+/g, ' ')}`);
    }
  }

  /** The checksum of a commit, where it has one. */
  private seals(): (position: number) => number | undefined {
    const read = this.database.prepare('SELECT first, last, sums FROM log_seals WHERE first <= ? ORDER BY first DESC LIMIT 1');
    let current: SealRow | undefined;
    return (position) => {
      if (!current || position > current.last) {
        current = undefined;
        this.attempt('table log_seals', () => (current = read.get(position) as unknown as SealRow | undefined));
      }
      const at = current && position <= current.last ? (position - current.first) * 4 : -1;
      return at < 0 || at + 4 > current!.sums.byteLength ? undefined : Buffer.from(current!.sums).readUInt32LE(at);
    };
  }

  private versions(): void {
    this.attempt('table commits', () => {
      const uneven = `SELECT stream, count(*) AS count, min(version) AS first, max(version) AS last FROM commits
        GROUP BY stream HAVING min(version) <> 1 OR max(version) <> count(*) LIMIT ${MOST}`;
      for (const { stream, count, first, last } of this.all<{ stream: string; count: number; first: number; last: number }>(uneven))
        this.found('versions', `table commits, stream ${stream}: ${count} commits with versions ${first} to ${last}`);
    });
  }

  private relay(head: number): void {
    this.attempt('table relay_checkpoints', () => {
      for (const { relay, position } of this.all<{ relay: string; position: number }>('SELECT relay, position FROM relay_checkpoints'))
        if (position > head) this.found('relay', `table relay_checkpoints, ${relay}: it has sent ${position} commits of ${head}`);
    });
  }

  /** Unwraps the keys wrapped by the master key. Checks only the form of keys wrapped by another key. */
  private keys(): void {
    this.attempt('table subject_keys', () => {
      const read = this.database.prepare('SELECT id, within, CAST(wrapped AS BLOB) AS wrapped FROM subject_keys WHERE shredded = 0');
      for (const row of read.iterate() as Iterable<unknown>) {
        const { id, within, wrapped } = row as { id: string; within: string | null; wrapped: Uint8Array };
        if (!this.isWhole(Buffer.from(wrapped).toString('latin1'), id, within))
          this.found('keys', `table subject_keys, id ${id}: the key is damaged`);
      }
    });
  }

  private isWhole(wrapped: string, id: string, within: string | null): boolean {
    if (!WRAPPED.test(wrapped)) return false;
    try {
      if (within === null) this.options.unwrap?.(wrapped, id);
      return true;
    } catch (error) {
      // A wrong master key affects all keys, so it is reported once.
      if ((error as Error).name === 'WrongMasterKey') throw error;
      return false;
    }
  }

  private texts(table: string): void {
    if (table === 'commits' || table.startsWith('sqlite_')) return;
    this.attempt(`table ${table}`, () => {
      const columns = this.all<{ name: string; pk: number }>(`SELECT name, pk FROM pragma_table_info('${table.replaceAll("'", "''")}')`);
      const keys = columns.filter(({ pk }) => pk > 0).map((column) => column.name);
      const key = keys.length === 0 ? 'rowid' : keys.map(quoted).join(" || '/' || ");
      for (const { name } of columns.filter((column) => holdsJson(table, column.name))) {
        const broken = `SELECT ${key} AS key FROM ${quoted(table)}
          WHERE ${quoted(name)} IS NOT NULL AND ${quoted(name)} <> '' AND NOT json_valid(${quoted(name)}) LIMIT ${MOST}`;
        for (const { key: found } of this.all<{ key: string | number }>(broken))
          this.found(`texts of ${table}`, `table ${table}, ${keys.join('/') || 'row'} ${found}: its text is damaged`);
      }
    });
  }

  private attempt(subject: string, work: () => void): void {
    try {
      work();
    } catch (error) {
      this.found(subject, `${subject}: cannot be read: ${(error as Error).message}`);
    }
  }

  private found(kind: string, text: string): void {
    const count = (this.counts.get(kind) ?? 0) + 1;
    this.counts.set(kind, count);
    if (count <= MOST) this.damages.push({ log: this.log, text: printable(text) });
    else if (count === MOST + 1) this.damages.push({ log: this.log, text: 'and more of this kind' });
  }

  private all<Row>(sql: string): Row[] {
    return this.database.prepare(sql).all() as unknown as Row[];
  }
}

/** Damaged data may contain control characters, which a terminal would interpret. */
const printable = (text: string) => text.replaceAll(/[\p{Cc}\u2028\u2029]/gu, '?');
const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
