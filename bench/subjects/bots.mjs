// Fills a data directory with bots by commands of the bots service, because HTTP requests would take several times as long.
import { setTimeout as pause } from 'node:timers/promises';
import { CommandBus } from '@nestjs/cqrs';
import { loadConfig } from '@parlance/config';
import { newId } from '@parlance/event-store';
import { openHost, startService } from '@parlance/foundation';
import { RequestContext } from '@parlance/observability';
import { ExecuteBot } from '../../apps/bots/dist/commands/aggregates.js';
import { BotWriter } from '../../apps/bots/dist/commands/bot-writer.js';
import { DEFAULT_SETTINGS } from '../../apps/bots/dist/domain/configuration.js';
import { services } from '../../apps/parlance/dist/services.js';
import { scopeOf, textsOf } from '../load/bots.mjs';

const IN_FLIGHT = 512;
const LISTED_USERS = 2;
const QUIET_MS = 1_000;
const QUIET_SHARE = 0.1;

/** `lister` is the owner of `own` bots, at even distances before the number `small`. The others own the rest. */
const { directory, from, to, small, own, lister, others } = JSON.parse(process.argv[2]);
process.on('disconnect', () => process.exit());
const env = { PARLANCE_DATA_DIR: directory, PARLANCE_LOG_LEVEL: 'warn' };
const host = await openHost(loadConfig({ argv: [], env, cwd: directory }), false);
const started = new Map();
// Starts the services that consume events of bots too, so that the next start has no events to catch up with.
for (const service of services.filter(({ name }) => name !== 'edge')) started.set(service.name, (await startService(service, host)).app);
const app = started.get('bots');
const [commands, writer] = [app.get(CommandBus, { strict: false }), app.get(BotWriter, { strict: false })];
const context = RequestContext.background();

function ownerOf(number) {
  const distance = small / own;
  return number < small && number % distance === distance - 1 ? lister : others[number % others.length];
}

async function add(number) {
  const [id, owner, scope] = [newId(), ownerOf(number), scopeOf(number)];
  await writer.create(id, owner, textsOf(number), DEFAULT_SETTINGS);
  if (scope === 'private') return;
  const userIds = scope === 'partial' ? Array.from({ length: LISTED_USERS }, (_, at) => others[(number + at + 1) % others.length]) : [];
  await commands.execute(new ExecuteBot(id, { type: 'Share', by: { userId: owner, groups: [] }, sharing: { scope, userIds } }));
}

/** Waits until the services have handled the events of all bots. */
async function quiet() {
  for (;;) {
    const before = process.cpuUsage();
    await pause(QUIET_MS);
    const { user, system } = process.cpuUsage(before);
    if (user + system < QUIET_SHARE * QUIET_MS * 1_000) return;
  }
}

const start = performance.now();
const client = async (_, first) => {
  for (let number = from + first; number < to; number += IN_FLIGHT) await RequestContext.run(context, () => add(number));
};
await Promise.all(Array.from({ length: IN_FLIGHT }, client));
const seconds = (performance.now() - start) / 1_000;
await quiet();
await host.shutdown.run();
process.send({ perSecond: (to - from) / seconds }, () => process.exit());
