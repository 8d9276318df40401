import type { Config } from '@parlance/config';
import { Instant } from '@parlance/decider';
import { type Host, masterKeyThere } from '@parlance/foundation';
import { DatabaseCopies, type Dumped, type DumpedCommit, timeOf, readDump } from '@parlance/installation/database-copies';
import { fingerprintOf } from '../backup/backup-manifest.ts';
import { namesOfServices, requireCluster } from '../backup/cluster/back-up-cluster.ts';
import { changedInCluster, dumpOf, keptFrom, readClusterManifest } from '../backup/cluster/cluster-manifest.ts';
import { missingInCluster } from '../backup/cluster/missing-in-cluster.ts';
import type { StoredCommit } from '../adapters/sqlite-check.ts';
import { StoredAuditChain } from './audit-chain.ts';
import { reportObjects } from './objects.ts';
import { reportProblem, type Say } from './report-problem.ts';

/** The maximum number of reported problems of one database. */
const MOST = 20;

/** What a relay has sent, and when an event is older than the topics keep events. */
interface Sent {
  readonly relayed: number;
  readonly keptFrom: Instant;
  /** What to do about events that were not sent for longer. */
  readonly advice: string;
}

/** Checks the databases of a cluster, which may be running. Returns the number of problems. */
export async function verifyCluster(
  config: Config,
  say: Say,
  verifyServices: (config: Config, say: Say) => Promise<number>,
): Promise<number> {
  requireCluster(config);
  const databases = await DatabaseCopies.open(config.mongoUri, namesOfServices);
  let problems = 0;
  try {
    for (const { message } of await databases.refusals()) problems += reportProblem(say, message);
    const relayed = await databases.relayed();
    const cuts = await databases.cut();
    const sent = { keptFrom: keptFrom(config, Instant.ofMillis(Date.now())), advice: 'its log says why its relay cannot send them' };
    for (const service of namesOfServices) {
      const documents = databases.documents(service, cuts.get(service) ?? null);
      problems += await check(service, documents, masterKeyThere(config), say, { ...sent, relayed: relayed.get(service) ?? 0 });
    }
  } finally {
    await databases.close();
  }
  return problems > 0 ? problems : verifyServices(config, say);
}

/** Returns the number of problems. */
export async function verifyClusterBackup(config: Config, directory: string, say: Say): Promise<number> {
  const manifest = readClusterManifest(directory);
  const changed = await changedInCluster(directory, manifest);
  let problems = changed.length;
  for (const problem of changed) say(`  ${problem}`);
  const master = masterKeyThere(config);
  const isRight = master !== null && fingerprintOf(master) === manifest.key;
  const sent = { keptFrom: keptFrom(config, Instant.parse(manifest.cut)), advice: 'the services publish them after a restore' };
  for (const [service, { relayed }] of Object.entries(manifest.databases)) {
    const documents = readDump(dumpOf(directory, service));
    problems += await check(service, documents, isRight ? master : null, say, relayed === undefined ? null : { ...sent, relayed });
  }
  // A damaged dump cannot be compared.
  if (problems === 0) problems += reportObjects(await missingInCluster(directory, manifest.databases), manifest, say);
  say(`${'files'.padEnd(18)}${manifest.list.count} of objects and indexes`);
  say('rows              not compared with the events: that needs a running cluster (parlance replay SERVICE PROJECTION)');
  return problems;
}

async function check(
  service: string,
  documents: AsyncIterable<Dumped>,
  master: Host['master'] | null,
  say: Say,
  sent: Sent | null,
): Promise<number> {
  const found: string[] = [];
  // The hashes of the audit log are made with the master key.
  const chain = service === 'analytics' && master ? new StoredAuditChain(master) : null;
  let commits = 0;
  let late = 0;
  try {
    for await (const dumped of documents) {
      const problem = dumped.in === 'commits' ? damageOf(dumped.document, commits, chain) : keyDamageOf(dumped, master);
      if (dumped.in === 'commits') commits += 1;
      if (dumped.in === 'commits' && sent && commits > sent.relayed && timeOf(dumped.document as DumpedCommit) < sent.keptFrom) late += 1;
      if (problem !== null && found.length < MOST) found.push(problem);
    }
  } catch (error) {
    found.push((error as Error).message);
  }
  found.push(...(chain?.breaks ?? []));
  const entries = chain ? `${chain.entries} audit entries, ` : '';
  say(`${service.padEnd(18)}${commits} commits, ${entries}${found.length === 0 ? 'whole' : 'DAMAGED'}`);
  if (late > 0) say(`  ${service}: ${late} commits are older than topicRetentionDays and not sent to Kafka: ${sent?.advice}`);
  let problems = 0;
  for (const text of found) problems += reportProblem(say, `${service}: ${text}`);
  return problems;
}

/** Only the newest commits have no position yet. */
function damageOf({ _id, position, stream, version, events }: Dumped['document'], before: number, chain: StoredAuditChain | null) {
  const where = `commit ${position ?? before + 1}`;
  if (position !== undefined && position !== before + 1) return `commit ${before + 1} is missing before commit ${position}`;
  if (_id !== `${stream}@${String(version).padStart(10, '0')}`) return `${where}: its ID is not that of version ${version} of ${stream}`;
  try {
    chain?.follow({ position: position ?? 0, stream, events: JSON.parse(events) as StoredCommit['events'] });
    if (!chain) JSON.parse(events);
    return null;
  } catch (error) {
    return `${where}: its text is damaged: ${(error as Error).message.replaceAll(/\s+/g, ' ')}`;
  }
}

/** Keys within another key are not opened. */
function keyDamageOf({ in: collection, document }: Dumped, master: Host['master'] | null): string | null {
  const { _id, within, wrapped } = document;
  if (collection !== 'subject_keys' || wrapped === null || within !== null) return null;
  try {
    master?.unwrap(wrapped as string, _id as unknown as string);
    return null;
  } catch (error) {
    return `the key ${String(_id)} is damaged: ${(error as Error).message}`;
  }
}
