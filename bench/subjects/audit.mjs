// Runs analytics in this process, and callers that each record one audit entry after another, like deliveries.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandBus } from '@nestjs/cqrs';
import { commitsOf, EventStore, newId } from '@parlance/event-store';
import { loadConfig } from '@parlance/config';
import { openHost, startService } from '@parlance/foundation';
import { RequestContext } from '@parlance/observability';
import { RecordAuditEntry } from '../../apps/analytics/dist/commands/audit-trail.js';
import { AUDIT_TRAIL_STREAM } from '../../apps/analytics/dist/domain/audit-trail.js';
import { analytics } from '../../apps/analytics/dist/service.js';
import { percentile } from '../measure/figures.mjs';

const [warm, entries, callers] = process.argv.slice(2).map(Number);
const directory = await mkdtemp(join(tmpdir(), 'parlance-bench-'));
process.on('disconnect', () => process.exit());
const env = { PARLANCE_DATA_DIR: directory, PARLANCE_LOG_LEVEL: 'fatal' };
const host = await openHost(loadConfig({ argv: [], env, cwd: directory }), false);
const { app } = await startService(analytics, host);
const commands = app.get(CommandBus, { strict: false });
const context = RequestContext.background();
const times = [];
let [tried, recorded] = [0, 0];

/** Repeats until the entry is recorded, like a failed delivery. */
async function record() {
  const id = newId();
  const entry = {
    id,
    user_id: '01K0000000000000000000000A',
    action_type: 'create_bot',
    resource_type: 'bot',
    resource_id: id,
    timestamp: 1_790_000_000,
    details: {},
    ip_address: '203.0.113.7',
    user_agent: 'bench/1',
    success: true,
    error_message: null,
  };
  const because = { specversion: '1.0', id, source: '/bots', type: 'parlance.bots.bot-created.v1', subject: id, data: {} };
  const sentAt = performance.now();
  for (let isDone = false; !isDone;) {
    tried++;
    isDone = await RequestContext.run(context, () => commands.execute(new RecordAuditEntry(because, entry))).then(
      () => true,
      () => false,
    );
  }
  times.push(performance.now() - sentAt);
  recorded++;
}

async function recordAll(count) {
  let left = count;
  const caller = async () => {
    while (left-- > 0) await record();
  };
  await Promise.all(Array.from({ length: callers }, caller));
}

await recordAll(warm);
[times.length, tried] = [0, 0];
const cpu = process.cpuUsage();
const start = performance.now();
await recordAll(entries);
const seconds = (performance.now() - start) / 1_000;
const { user, system } = process.cpuUsage(cpu);

let [stored, broken, head] = [0, 0, ''];
for await (const { events } of commitsOf(app.get(EventStore, { strict: false }), AUDIT_TRAIL_STREAM)) {
  for (const { event } of events) {
    stored++;
    if (event.previousHash !== head) broken++;
    head = event.hash;
  }
}
await host.shutdown.run();
await rm(directory, { recursive: true });
const result = {
  perSecond: entries / seconds,
  cpuMicros: (user + system) / entries,
  p50: percentile(times, 0.5),
  p99: percentile(times, 0.99),
};
process.send({ ...result, triesOfOne: tried / entries, recorded, stored, broken }, () => process.exit());
