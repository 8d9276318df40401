import { oneLine, processConfig } from '@parlance/service-kit/run';
import { effectiveConfig } from '@parlance/service-kit';
import { start } from './start.ts';

const commands: Readonly<Record<string, (argv: readonly string[]) => Promise<void>>> = {
  start: (argv) => start(processConfig(argv)),
  config: async (argv) => void process.stdout.write(`${JSON.stringify(effectiveConfig(processConfig(argv)), null, 2)}\n`),
};

const [name = 'start', ...argv] = process.argv.slice(2);
const command = commands[name];
if (!command) {
  process.stderr.write(`parlance: there is no command ${name}; there are: ${Object.keys(commands).join(', ')}\n`);
  process.exit(2);
}
try {
  await command(argv);
} catch (error) {
  process.stderr.write(`parlance: ${oneLine(error, null) ?? (error as Error).stack}\n`);
  process.exit(1);
}
