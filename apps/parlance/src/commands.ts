import { type Config, effectiveConfig } from '@parlance/config';

export interface Command {
  /** The arguments, as help shows them. */
  readonly words: string;
  readonly does: string;
  /** The options that it takes; absent where it checks them itself. */
  readonly options?: readonly string[];
  /** How many words it takes at most that are no options; absent where they may be any number. */
  readonly names?: number;
  /** `words` are those of the command line behind the name, without --config. */
  run(config: Config, words: readonly string[]): Promise<void> | void;
}

/** The code of a command is loaded when it is run, so that the start of the product loads only its own. */
export const commands: Readonly<Record<string, Command>> = {
  start: {
    words: '',
    does: 'starts the product (this is also what happens without a command)',
    options: [],
    names: 0,
    run: async (config) => (await import('./start.ts')).start(config),
  },
  config: {
    words: '',
    does: 'prints the effective configuration, with secrets masked',
    options: [],
    names: 0,
    run: (config) => void process.stdout.write(`${JSON.stringify(effectiveConfig(config), null, 2)}\n`),
  },
  backup: {
    words: '[DIR] [--with-master-key]',
    does: 'copies all data into a new directory, while the product runs or not',
    options: ['--with-master-key'],
    names: 1,
    run: async (config, words) => (await import('./backup/backup.ts')).backup(config, words),
  },
  restore: {
    words: 'DIR [--replace]',
    does: 'restores the data directory from a backup',
    options: ['--replace'],
    names: 1,
    run: async (config, words) => (await import('./backup/restore.ts')).restore(config, words),
  },
  verify: {
    words: '[DIR]',
    does: 'checks all data, or a backup, and names damaged parts',
    options: [],
    names: 1,
    run: async (config, words) => (await import('./verify/verify.ts')).verify(config, words),
  },
  'verify-audit': {
    words: '[--head FILE]',
    does: 'checks the audit log under its key, and against an exported head',
    options: ['--head'],
    names: 1,
    run: async (config, words) => (await import('./verify-audit.ts')).verifyAudit(config, words),
  },
  'accept-loss': {
    words: 'LOG',
    does: 'accepts the loss of data that a start misses',
    options: [],
    names: 1,
    run: async (config, words) => (await import('./accept-loss.ts')).acceptLoss(config, words),
  },
  redrive: {
    words: 'SERVICE [ID…]',
    does: 'delivers dead letters again; --list; --projection NAME: a read model',
    options: ['--list', '--projection'],
    run: async (config, words) => (await import('./repair.ts')).redrive(config, words),
  },
  replay: {
    words: '[--service S] [--projection P]',
    does: 'rebuilds read models; SERVICE PROJECTION compares, --reset',
    run: async (config, words) => (await import('./replay/replay.ts')).replay(config, words),
  },
  migrate: {
    words: '--from DIR [--dry-run]',
    does: 'imports users, bots and conversations of Bedrock Chat',
    run: async (config, words) => (await import('./migrate/migrate.ts')).migrate(config, words),
  },
};

/** Undefined if there is none. */
export const commandNamed = (name: string): Command | undefined => (Object.hasOwn(commands, name) ? commands[name] : undefined);

/** The arguments without --config and its file. */
export const wordsOf = (argv: readonly string[]): readonly string[] =>
  argv.filter((each, nth) => each !== '--config' && !each.startsWith('--config=') && argv[nth - 1] !== '--config');

/** The first option or other word that the command does not take; null if there is none. */
export const unknownWord = ({ options, names = Infinity }: Command, given: readonly string[]): string | null => {
  const isOption = (word: string) => word.startsWith('-');
  const others = given.filter((word) => !isOption(word));
  return given.find((word) => options && isOption(word) && !options.includes(word)) ?? others[names] ?? null;
};

export function help(): string {
  const lines = Object.entries(commands).map(([name, { words, does }]) => `  ${`${name} ${words}`.padEnd(39)}${does}`);
  return `parlance COMMAND [--config FILE]\n\n${lines.join('\n')}\n\nSettings come from parlance.config.json and PARLANCE_ variables: docs/reference/configuration.md\n`;
}
