import { type Config, effectiveConfig } from '@parlance/service-kit';
import { oneLine, processConfig } from '@parlance/service-kit/run';
import { redrive, replay } from './mend.ts';
import { Unknown } from './services.ts';
import { start } from './start.ts';
import { AuditLogBroken, verifyAudit } from './verify-audit.ts';

type Command = (config: Config, names: readonly string[]) => Promise<void> | void;

const commands: Readonly<Record<string, Command>> = {
  start,
  config: (config) => void process.stdout.write(`${JSON.stringify(effectiveConfig(config), null, 2)}\n`),
  redrive,
  replay,
  'verify-audit': verifyAudit,
};

const [name = 'start', ...argv] = process.argv.slice(2);
const command = commands[name];
if (!command) {
  process.stderr.write(`parlance: there is no command ${name}; there are: ${Object.keys(commands).join(', ')}\n`);
  process.exit(2);
}
let config: Config | null = null;
try {
  config = processConfig(argv);
  await command(
    config,
    argv.filter((each, index) => !each.startsWith('--config') && argv[index - 1] !== '--config'),
  );
} catch (error) {
  const line = error instanceof Unknown || error instanceof AuditLogBroken ? error.message : oneLine(error, config);
  process.stderr.write(`parlance: ${line ?? (error as Error).stack}\n`);
  process.exit(1);
}
