import { type Config, effectiveConfig } from '@parlance/config';

export interface Command {
  /** The options and arguments, as the help shows them. */
  readonly usage: string;
  readonly does: string;
  /** The accepted options; absent if the command checks its options itself. */
  readonly options?: readonly string[];
  /** The maximum number of words that are not options; absent for no limit. */
  readonly mostWords?: number;
  /** `words`: the options and words after the name of the command, without --config. */
  run(config: Config, words: readonly string[]): Promise<void> | void;
}

/** The code of a command is loaded when the command runs, so that `start` loads only its own code. */
export const commands: Readonly<Record<string, Command>> = {
  start: {
    usage: '',
    does: 'starts the product (this is also what happens without a command)',
    options: [],
    mostWords: 0,
    run: async (config) => (await import('./start.ts')).start(config),
  },
  config: {
    usage: '',
    does: 'prints the effective configuration, with secrets masked',
    options: [],
    mostWords: 0,
    run: (config) => void process.stdout.write(`${JSON.stringify(effectiveConfig(config), null, 2)}\n`),
  },
  backup: {
    usage: '[DIR] [--with-master-key]',
    does: 'copies all data, also while it is in use; --accept-missing-objects',
    options: ['--with-master-key', '--accept-missing-objects'],
    mostWords: 1,
    run: async (config, words) => (await import('./backup/backup.ts')).backup(config, words),
  },
  restore: {
    usage: 'DIR [--replace]',
    does: 'restores all data from a backup, while the product is stopped',
    options: ['--replace'],
    mostWords: 1,
    run: async (config, words) => (await import('./backup/restore.ts')).restore(config, words),
  },
  verify: {
    usage: '[DIR]',
    does: 'checks all data, or a backup, and names damaged parts',
    options: [],
    mostWords: 1,
    run: async (config, words) => (await import('./verify/verify.ts')).verify(config, words),
  },
  'verify-audit': {
    usage: '[--head FILE]',
    does: 'checks the audit log under its key, and against an exported head',
    options: ['--head'],
    mostWords: 1,
    run: async (config, words) => (await import('./verify-audit.ts')).verifyAudit(config, words),
  },
  'accept-loss': {
    usage: 'LOG',
    does: 'accepts the loss of data that was missing at a start',
    options: [],
    mostWords: 1,
    run: async (config, words) => (await import('./accept-loss.ts')).acceptLoss(config, words),
  },
  redrive: {
    usage: 'SERVICE [ID…]',
    does: 'delivers dead letters again; --list; --projection NAME: a read model',
    options: ['--list', '--projection'],
    run: async (config, words) => (await import('./repair.ts')).redrive(config, words),
  },
  replay: {
    usage: '[--service S] [--projection P]',
    does: 'rebuilds read models; SERVICE PROJECTION compares, --reset',
    run: async (config, words) => (await import('./replay/replay.ts')).replay(config, words),
  },
  'service-keys': {
    usage: 'DIR',
    does: 'makes a key for each service of a cluster, instead of the master key',
    options: [],
    mostWords: 1,
    run: async (config, words) => (await import('./service-keys/service-keys.ts')).serviceKeys(config, words),
  },
  partitions: {
    usage: 'COUNT',
    does: 'adds partitions to topics of Kafka while all services are stopped',
    options: [],
    mostWords: 1,
    run: async (config, words) => (await import('./partitions.ts')).partitions(config, words),
  },
  migrate: {
    usage: '--from DIR [--dry-run]',
    does: 'imports users, bots and conversations of Bedrock Chat',
    run: async (config, words) => (await import('./migrate/migrate.ts')).migrate(config, words),
  },
  'import-litellm': {
    usage: 'FILE [--apply]',
    does: 'takes over models, routes, keys and budgets of LiteLLM',
    run: async (config, words) => (await import('./import-litellm/import-litellm.ts')).importLiteLlm(config, words),
  },
};

/** Undefined for an unknown name. */
export const commandNamed = (name: string): Command | undefined => (Object.hasOwn(commands, name) ? commands[name] : undefined);

/** The options and words of a command line, without --config and its file. */
export const wordsOf = (argv: readonly string[]): readonly string[] =>
  argv.filter((each, index) => each !== '--config' && !each.startsWith('--config=') && argv[index - 1] !== '--config');

/** The first option or other word that the command does not take; null if there is none. */
export const unknownWord = ({ options, mostWords = Infinity }: Command, words: readonly string[]): string | null => {
  const isOption = (word: string) => word.startsWith('-');
  const others = words.filter((word) => !isOption(word));
  return words.find((word) => options && isOption(word) && !options.includes(word)) ?? others[mostWords] ?? null;
};

export function help(): string {
  const lines = Object.entries(commands).map(([name, { usage, does }]) => `  ${`${name} ${usage}`.padEnd(39)}${does}`);
  return `parlance COMMAND [--config FILE]\n\n${lines.join('\n')}\n\nSettings come from parlance.config.json and PARLANCE_ variables: docs/reference/configuration.md\n`;
}
