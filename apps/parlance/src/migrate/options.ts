import { basename, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { NotDone } from '../not-done.ts';

export interface Options {
  readonly from: string;
  /** Null to use `users.json` or `users.csv` of the export. */
  readonly users: string | null;
  readonly isDryRun: boolean;
  /** The directory of the report and the progress. */
  readonly directory: string;
  /** The name of this run. Another run with the same name continues it. */
  readonly name: string;
  /** The address of the Admin in whose name bots are pinned; null for the oldest Admin. */
  readonly admin: string | null;
}

const NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;
export const USAGE = 'parlance migrate --from DIR [--users FILE] [--dry-run] [--name NAME] [--report DIR] [--admin EMAIL]';

/** Throws `NotDone`. */
export function optionsOf(words: readonly string[]): Options {
  const text = { type: 'string' } as const;
  const options = { from: text, users: text, name: text, report: text, admin: text, 'dry-run': { type: 'boolean' } } as const;
  let values;
  try {
    ({ values } = parseArgs({ args: [...words], options }));
  } catch (error) {
    throw new NotDone(`${(error as Error).message}: ${USAGE}`);
  }
  if (values.from === undefined) throw new NotDone(`a migration needs the directory of an export: ${USAGE}`);
  const from = resolve(values.from);
  const name =
    values.name ??
    basename(from)
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '');
  if (!NAME.test(name)) throw new NotDone(`--name: ${name} must be 1 to 64 lower-case letters, digits and -`);
  return {
    from,
    users: values.users === undefined ? null : resolve(values.users),
    isDryRun: values['dry-run'] === true,
    directory: resolve(values.report ?? `migration-${name}`),
    name,
    admin: values.admin ?? null,
  };
}
