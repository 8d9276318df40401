import { NewerSchema } from './errors.ts';
import type { Schema, Transaction } from './sqlite-file.ts';

/** Runs the steps that the file lacks. `script` runs SQL of several statements in the same transaction. */
export function migrateIn(transaction: Transaction, script: (sql: string) => void, { module, steps }: Schema): void {
  transaction.run(
    'CREATE TABLE IF NOT EXISTS schema_steps (module TEXT NOT NULL, step INTEGER NOT NULL, PRIMARY KEY (module, step)) WITHOUT ROWID',
  );
  const { found } = transaction.get<{ found: number }>('SELECT count(*) AS found FROM schema_steps WHERE module = ?', module)!;
  if (found > steps.length) throw new NewerSchema(module, found, steps.length);
  for (const [index, step] of steps.slice(found).entries()) {
    script(step);
    transaction.run('INSERT INTO schema_steps VALUES (?, ?)', module, found + index + 1);
  }
}
