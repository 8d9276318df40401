// Inference in this process: writes the conversations of one user to the log, and exports them as the own data of the user.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { loadConfig } from '@parlance/config';
import { EventStore, newId } from '@parlance/event-store';
import { Clock, openHost, startService } from '@parlance/foundation';
import { KeysOfUsers } from '@parlance/foundation/harness';
import { ObjectStore } from '@parlance/object-store';
import { RequestContext } from '@parlance/observability';
import { Projector } from '@parlance/read-models';
import { Vault } from '@parlance/privacy';
import { ExecuteOwnExport } from '../../apps/inference/dist/commands/aggregates.js';
import { conversationSubject } from '../../apps/inference/dist/commands/conversation-subject.js';
import { OwnExportOf } from '../../apps/inference/dist/projections/own-data/own-exports.js';
import { inference } from '../../apps/inference/dist/service.js';
import { WritingOwnExports } from '../../apps/inference/dist/workflows/own-data/writing-own-exports.js';

const MIB = 1024 * 1024;
const AT_ONCE = 64;
const QUESTION = 'How do I file the expenses of a trip that has two parts, of which one was cancelled? '.repeat(2);
const ANSWER = 'File each part of the trip by itself. Name the number of the order, and attach the receipt of the refund. '.repeat(5);

const conversations = Number(process.argv[2]);
const directory = await mkdtemp(join(tmpdir(), 'parlance-bench-'));
process.on('disconnect', () => process.exit());
const env = { PARLANCE_DATA_DIR: directory, PARLANCE_LOG_LEVEL: 'fatal' };
const host = await openHost(loadConfig({ argv: [], env, cwd: directory }), false);
for (const name of ['identity', 'bots', 'publication', 'analytics', 'edge'])
  host.published.enter(name, { after: async () => ({ events: [], position: 0, head: 0 }), positionAt: async () => 1 });
await new KeysOfUsers().enter(host);
// The user has no bots, no prompts and no usage.
const answering = (body) => ({
  ready: async () => undefined,
  inject: async () => ({ statusCode: 200, headers: { 'content-type': 'application/json' }, payload: JSON.stringify(body) }),
});
await host.local.enter('bots', answering({ bots: [], prompts: [], next: null }));
await host.local.enter('analytics', answering({ daily: [] }));
const { app } = await startService(inference, host);
const of = (token) => app.get(token, { strict: false });
const [store, vault, clock] = [of(EventStore), of(Vault), of(Clock)];
const background = (work) => RequestContext.run(RequestContext.background(), work);
const userId = newId();
const usage = { inputTokens: 100, outputTokens: 200, cacheReadTokens: 0, cacheWriteTokens: 0, estimated: false };

async function converse(n) {
  const [conversationId, messageId, replyId] = [newId(), newId(), newId()];
  const subject = conversationSubject(conversationId, userId);
  await vault.sealing(subject, ({ text, companions }) => {
    const place = { replyId, model: 'm', userId, botId: null };
    const events = [
      { type: 'ConversationStarted', userId, botId: null, title: text('A trip') },
      { type: 'MessageSubmitted', ...place, messageId, parentId: null, content: text(`${n} ${QUESTION}`) },
      { type: 'ReplyCompleted', ...place, content: text(ANSWER), usage, costNanoDollars: 1_000 },
    ];
    const metadata = background(() => RequestContext.metadata(clock.now()));
    return store.append({ stream: `conversation-${conversationId}`, expected: 0, events, metadata, companions });
  });
}

let left = conversations;
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    while (left > 0) await converse(left--);
  }),
);
// Wait for the read models, so that their work on the seeded conversations does not count.
const pending = async () => (await of(Projector).lag()).reduce((sum, each) => sum + each.behind, 0);
for (let quiet = 0; quiet < 3; quiet = (await pending()) === 0 ? quiet + 1 : 0) await pause(1_000);

globalThis.gc?.();
const before = process.memoryUsage.rss();
let peak = before;
const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 20);
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
// Checked every millisecond. Excludes the time in which other processes have the processor.
let [busiest, lookedAt] = [0, process.threadCpuUsage()];
const looks = setInterval(() => {
  const now = process.threadCpuUsage();
  busiest = Math.max(busiest, now.user + now.system - lookedAt.user - lookedAt.system);
  lookedAt = now;
}, 1);
const cpu = process.cpuUsage();
const start = performance.now();
const exportId = newId();
await background(() => of(CommandBus).execute(new ExecuteOwnExport(userId, { type: 'Request', exportId, by: 'user', now: clock.now() })));
const stateOf = () => background(() => of(QueryBus).execute(new OwnExportOf(userId, exportId)));
await background(() => of(WritingOwnExports).writeWaiting());
let row = await stateOf();
for (; row.status !== 'ready' && row.status !== 'failed'; row = await stateOf()) await pause(10);
const seconds = (performance.now() - start) / 1_000;
delay.disable();
clearInterval(watch);
clearInterval(looks);
const { user, system } = process.cpuUsage(cpu);
const [{ key }] = await of(ObjectStore).list('own-exports/', { limit: 1 });
let end = Buffer.alloc(0);
for await (const chunk of (await of(ObjectStore).get(key)).body) end = Buffer.concat([end.subarray(-64), chunk]);
await host.shutdown.run();
await rm(directory, { recursive: true });
process.send(
  {
    written: row.conversations,
    // The end-of-central-directory record of the ZIP.
    entries: end.readUInt16LE(end.length - 22 + 10),
    megabytes: row.bytes / 1e6,
    seconds,
    cpuMicros: (user + system) / conversations,
    grown: (peak - before) / MIB,
    blocked: delay.max / 1e6,
    busiest: busiest / 1_000,
  },
  () => process.exit(),
);
