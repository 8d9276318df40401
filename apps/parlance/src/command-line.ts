import type { Config } from '@parlance/config';
import { oneLine, processConfig } from '@parlance/foundation/run';
import { commandNamed, commands, help, unknownWord, wordsOf } from './commands.ts';
import { NotDone } from './not-done.ts';
import { UnknownName } from './unknown-name.ts';

const [name = 'start', ...argv] = process.argv.slice(2);
if (['help', '--help', '-h'].includes(name) || argv.includes('--help')) {
  process.stdout.write(help());
  process.exit(0);
}
const command = commandNamed(name);
if (!command) {
  process.stderr.write(`parlance: there is no command ${name}; there are: ${Object.keys(commands).join(', ')}\n`);
  process.exit(2);
}
const words = wordsOf(argv);
const unknown = unknownWord(command, words);
if (unknown !== null) {
  process.stderr.write(`parlance: ${name} does not take ${unknown}: parlance ${`${name} ${command.usage}`.trim()} [--config FILE]\n`);
  process.exit(2);
}
let config: Config | null = null;
try {
  config = processConfig(argv);
  await command.run(config, words);
} catch (error) {
  const line = error instanceof UnknownName || error instanceof NotDone ? error.message : oneLine(error, config);
  process.stderr.write(`parlance: ${line ?? (error as Error).stack}\n`);
  process.exit(1);
}
