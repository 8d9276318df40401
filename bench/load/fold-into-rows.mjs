import { DatabaseSync } from 'node:sqlite';
import { changed } from '../../libs/read-models/dist/changes.js';
import { indexedFields, TableSql } from '../../libs/read-models/dist/sqlite/table-sql.js';

/** The maximum number of rows in memory. */
const MOST_ROWS = 200_000;

/**
 * Folds events into the rows of projections, in the file of a stopped service. It uses the projections' functions, so the service would
 * have built the same rows. It is much faster than the service, because its transactions are longer and it creates indexes at the end.
 */
export function foldIntoRows(path, projections, events) {
  const database = new DatabaseSync(path);
  database.exec('PRAGMA synchronous = OFF; BEGIN');
  const tables = new Map(
    projections.flatMap(({ version, tables: its }) =>
      its.map((table) => [table.name, tableOf(database, `${table.name}@v${version}`, table)]),
    ),
  );
  const make = (change) => {
    const { rows, stored } = tables.get(change.table.name);
    const { key } = change;
    let row = rows.get(key);
    if (row === undefined) row = stored(key);
    if (change.op !== 'first') rows.set(key, changed(row, change));
    else if (row === null) {
      rows.set(key, change.row);
      change.changes.forEach(make);
    }
  };
  const flush = () => {
    for (const { rows, put, remove } of tables.values()) {
      for (const [key, row] of rows) {
        if (row === null) remove(key);
        else put(key, row);
      }
      rows.clear();
    }
  };
  let folded = 0;
  for (const event of events) {
    for (const projection of projections) if (projection.types.includes(event.type)) projection.changes(event).forEach(make);
    if (++folded % 1_000 === 0 && [...tables.values()].reduce((sum, { rows }) => sum + rows.size, 0) > MOST_ROWS) flush();
  }
  flush();
  for (const { index } of tables.values()) index();
  database.exec('COMMIT');
  database.close();
  return folded;
}

/** A table whose indexes are removed until `index` is called. */
function tableOf(database, name, { indexes: fields }) {
  const indexes = database
    .prepare(`SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL`)
    .all(name);
  for (const { name: index } of indexes) database.exec(`DROP INDEX "${index}"`);
  const select = database.prepare(`SELECT row FROM "${name}" WHERE key = ?`);
  const statements = new TableSql(name, indexedFields(fields));
  const insert = database.prepare(statements.put);
  const removal = database.prepare(`DELETE FROM "${name}" WHERE key = ?`);
  return {
    rows: new Map(),
    stored(key) {
      const found = select.get(key);
      return found ? JSON.parse(found.row) : null;
    },
    put: (key, row) => insert.run(...statements.putOf(key, row).params),
    remove: (key) => removal.run(key),
    index: () => indexes.forEach(({ sql }) => database.exec(sql)),
  };
}
