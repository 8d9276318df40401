import { ChangeRefused, NotPrepared } from './errors.ts';
import { type Change, checkOwner, type Table, type TableOwner } from './read-models.ts';

/** Which projection each table belongs to. */
export class Owners {
  private readonly byTable = new Map<string, string>();

  /** Throws a TypeError when a table has another owner already. */
  add(owner: TableOwner): void {
    checkOwner(owner);
    for (const { name } of owner.tables) {
      const other = this.byTable.get(name);
      if (other !== undefined && other !== owner.name) throw new TypeError(`table ${name} belongs to ${other} and to ${owner.name}`);
    }
    for (const { name } of owner.tables) this.byTable.set(name, owner.name);
  }

  of(table: Table): string {
    const owner = this.byTable.get(table.name);
    if (owner === undefined) throw new NotPrepared(`table ${table.name}`);
    return owner;
  }

  /** A batch writes its own projection's tables alone: its checkpoint speaks for no others. */
  check(projection: string, changes: readonly Change[]): void {
    for (const { table, key } of changes) {
      if (this.of(table) !== projection)
        throw new ChangeRefused(table.name, key, `the table belongs to ${this.of(table)}, not to ${projection}`);
    }
  }
}
