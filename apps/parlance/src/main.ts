import { effectiveConfig } from '@parlance/service-kit';
import { oneLine, processConfig } from '@parlance/service-kit/run';
import { redrive, replay } from './mend.ts';
import { Unknown } from './services.ts';
import { start } from './start.ts';

const commands: Readonly<Record<string, (argv: readonly string[]) => Promise<void>>> = {
  start: (argv) => start(processConfig(argv)),
  config: async (argv) => void process.stdout.write(`${JSON.stringify(effectiveConfig(processConfig(argv)), null, 2)}\n`),
  redrive: (argv) => redrive(processConfig([]), argv),
  replay: (argv) => replay(processConfig([]), argv),
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
  const line = error instanceof Unknown ? error.message : oneLine(error, null);
  process.stderr.write(`parlance: ${line ?? (error as Error).stack}\n`);
  process.exit(1);
}
