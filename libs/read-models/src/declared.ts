import { ChangeRefused, NotPrepared, ReadModelBuilding } from './errors.ts';
import type { Generation, Progress } from './read-models.ts';
import { type Change, checkOwner, type Table, type TableOwner } from './table.ts';

/** The rows of one version that this program declared. */
export class Declared {
  /** The content of the records, as last read by this process. */
  ready = false;
  /** Used if other processes share the rows. */
  lookAgainAt = 0;
  reached = 0;

  constructor(
    readonly owner: TableOwner,
    readonly generation: number,
    /** The suffix of the names of its tables: `@v2`, `@v2.1` after a rebuild, and `@v2~` for a second copy. */
    readonly suffix: string,
  ) {}

  /** Names the rows in records. */
  get id(): string {
    return this.owner.name + this.suffix;
  }

  learn({ line, ready }: Pick<Progress, 'line' | 'ready'>): void {
    if (line === '') this.ready = ready;
  }

  get built(): number {
    return this.ready ? 1 : Math.min(this.reached, 0.99);
  }

  building(): ReadModelBuilding {
    return new ReadModelBuilding(this.owner.name, this.built);
  }

  /** A batch may write only the tables of its own projection, because its record covers no others. */
  check(change: Change): void {
    const { table, key } = change;
    if (change.op === 'first') for (const one of change.changes) this.check(one);
    if (!this.owner.tables.some(({ name }) => name === table.name)) {
      throw new ChangeRefused(table.name, key, `the table does not belong to ${this.owner.name}`);
    }
  }
}

/** The suffix of the table names of one generation. Rows of the first generation are those that every earlier release knows. */
export function suffixOf({ version }: Pick<TableOwner, 'version'>, generation: number, mark: string): string {
  return `@v${version}${generation === 0 ? '' : `.${generation}`}${mark}`;
}

/** The ID of the first generation of a version. The IDs of its other generations begin with this and a dot. */
export function firstIdOf({ name, version }: TableOwner): string {
  return `${name}@v${version}`;
}

/** The number of the generation with this ID; null for the ID of other rows. */
export function generationOf(owner: TableOwner, id: string): number | null {
  const first = firstIdOf(owner);
  if (id === first) return 0;
  const number = id.startsWith(`${first}.`) ? id.slice(first.length + 1) : '';
  return /^[1-9]\d{0,14}$/.test(number) ? Number(number) : null;
}

/** The newest generation whose rows are ready, so that a process finds the result of a rebuild; if there is none, the oldest one. */
export function generationToUse(stored: readonly Generation[]): number {
  return (stored.findLast(({ ready }) => ready) ?? stored[0])?.number ?? 0;
}

/** The versions that a program declared, by projection and by table. */
export class Declarations {
  private readonly byName = new Map<string, Declared>();
  private readonly byTable = new Map<string, Declared>();

  constructor(private readonly mark: string) {}

  /** Throws a TypeError if a table already has another owner, or the projection is already declared in another version. */
  add(owner: TableOwner, generation: number): Declared {
    checkOwner(owner);
    const { name, version, tables } = owner;
    const before = this.byName.get(name);
    if (before && before.owner.version !== version) throw new TypeError(`${name} is declared in two versions`);
    for (const table of tables) {
      const other = this.byTable.get(table.name)?.owner.name ?? name;
      if (other !== name) throw new TypeError(`table ${table.name} belongs to ${other} and to ${name}`);
    }
    const declared = new Declared(owner, generation, suffixOf(owner, generation, this.mark));
    if (before) [declared.ready, declared.reached] = [before.ready, before.reached];
    this.byName.set(name, declared);
    for (const table of tables) this.byTable.set(table.name, declared);
    return declared;
  }

  get ids(): string[] {
    return [...this.byName.values()].map(({ id }) => id);
  }

  get owners(): TableOwner[] {
    return [...this.byName.values()].map(({ owner }) => owner);
  }

  /** Null for a projection that is not declared yet. */
  generationOf(projection: string): number | null {
    return this.byName.get(projection)?.generation ?? null;
  }

  named(projection: string): Declared {
    const declared = this.byName.get(projection);
    if (!declared) throw new NotPrepared(`projection ${projection}`);
    return declared;
  }

  of({ name }: Table): Declared {
    const declared = this.byTable.get(name);
    if (!declared) throw new NotPrepared(`table ${name}`);
    return declared;
  }
}
