import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Projector } from '@parlance/read-models';
import type { Config } from '@parlance/config';
import { type Host, masterKeyThere, openHost, prepareService } from '@parlance/foundation';
import { BROKER, DataDirectory, filesUsed, ownLogs, pathOf, refusals } from '@parlance/installation';
import { waitUntilIdle, type Prepared } from '../operator/wait-until-idle.ts';
import { readWholeLog } from '../operator/read-whole-log.ts';
import { checkFile } from '../adapters/sqlite-check.ts';
import { changedSince, fingerprintOf, isOfCluster, readAnyManifest, readBackupManifest } from '../backup/backup-manifest.ts';
import { missingInFiles } from '../backup/take-backup.ts';
import { NotDone } from '../not-done.ts';
import { isRunning } from '../operator/operator-client.ts';
import { progressBar } from '../progress-bar.ts';
import { projectionLabel } from '../projection-label.ts';
import { services } from '../services.ts';
import { StoredAuditChain } from './audit-chain.ts';
import { reportObjects } from './objects.ts';
import { reportProblem, type Say } from './report-problem.ts';
import { compareRows, type RowsVerdict } from './rows.ts';

const print: Say = (line) => void process.stdout.write(`${line}\n`);

/**
 * `parlance verify`: checks all data in the data directory; the product must be stopped. `parlance verify DIR` checks the files of
 * a backup. Exits with 1 and names the problems if there are any.
 */
export async function verify(config: Config, [backup]: readonly string[]): Promise<void> {
  const problems = await (backup === undefined ? verifyData(config, print) : verifyAnyBackup(config, resolve(backup), print));
  if (problems > 0)
    throw new NotDone(`${problems} ${problems === 1 ? 'problem' : 'problems'} found: restore an earlier backup (parlance restore DIR)`);
  print('Everything is as it should be.');
}

async function verifyAnyBackup(config: Config, directory: string, say: Say): Promise<number> {
  if (!isOfCluster(readAnyManifest(directory))) return verifyBackup(config, directory, say);
  return (await import('./verify-cluster.ts')).verifyClusterBackup(config, directory, say);
}

/** Returns the number of problems. */
export async function verifyBackup(config: Config, directory: string, say: Say): Promise<number> {
  const manifest = readBackupManifest(directory);
  const changed = await changedSince(directory, manifest);
  for (const problem of changed) say(`  ${problem}`);
  const master = masterKeyThere(config);
  const isRight = master !== null && fingerprintOf(master) === manifest.key;
  const damages = checkFiles(directory, Object.keys(manifest.files), isRight ? master : null, say);
  let missing = 0;
  // In earlier backups nothing shows whether the objects were in the data directory.
  if (manifest.missingObjects !== undefined && changed.length + damages === 0)
    missing = reportObjects(await missingInFiles(directory, Object.keys(manifest.files)), manifest, say);
  if (manifest.list) say(`${'files'.padEnd(18)}${manifest.list.count} of objects and indexes`);
  say('rows              not compared with the events: that needs a data directory (parlance restore DIR)');
  return changed.length + damages + missing;
}

async function verifyData(config: Config, say: Say): Promise<number> {
  if (config.mongoUri !== null) return (await import('./verify-cluster.ts')).verifyCluster(config, say, verifyServices);
  if (await isRunning(config.dataDir))
    throw new NotDone('the product is running: stop it first, or verify a backup of it (parlance backup DIR, parlance verify DIR)');
  if (!existsSync(config.dataDir)) throw new NotDone(`there is no data directory ${config.dataDir}`);
  const directory = DataDirectory.take(config.dataDir);
  let problems = 0;
  try {
    for (const { message } of refusals(config.dataDir, filesUsed(config))) problems += reportProblem(say, message);
    problems += checkFiles(config.dataDir, ownLogs(config.dataDir), masterKeyThere(config), say);
  } finally {
    directory.release();
  }
  if (problems > 0) {
    say('rows              not compared with the events, because the files are damaged');
    return problems;
  }
  return verifyServices(config, say);
}

function checkFiles(directory: string, logs: readonly string[], master: Host['master'] | null, say: Say): number {
  let problems = 0;
  for (const log of logs) {
    // The hashes of the audit log are made with the master key.
    const chain = log === 'analytics' && master ? new StoredAuditChain(master) : null;
    const { commits, damages } = checkFile(pathOf(directory, log), log, {
      ...(chain && { onCommit: chain.follow }),
      ...(master && { unwrap: (wrapped, id) => master.unwrap(wrapped, id) }),
    });
    const found = [...damages.map(({ text }) => text), ...(chain?.breaks ?? [])];
    const holds = log === BROKER ? '' : `${commits} commits, `;
    say(`${`${log}.db`.padEnd(18)}${holds}${chain ? `${chain.entries} audit entries, ` : ''}${found.length === 0 ? 'whole' : 'DAMAGED'}`);
    for (const text of found) problems += reportProblem(say, `${log}.db: ${text}`);
  }
  return problems;
}

/** Makes the checks that need the code of the services. They run only if the files are undamaged. */
async function verifyServices(config: Config, say: Say): Promise<number> {
  const host = await openHost(config, true);
  try {
    const prepared: Prepared[] = [];
    for (const service of services) prepared.push({ name: service.name, ...(await prepareService(service, host)) });
    let problems = 0;
    for (const service of prepared) problems += await verifyEvents(service, host, say);
    if (problems > 0) return problems;
    if (filesUsed(config).broker) return await verifyRows(prepared, host, say);
    // A copy of the data elsewhere would send its events to Kafka, and take other events from its groups.
    say('rows              not compared with the events, because the broker is Kafka: parlance replay SERVICE PROJECTION compares one');
    return 0;
  } finally {
    await host.shutdown.run();
  }
}

async function verifyEvents(service: Prepared, host: Host, say: Say): Promise<number> {
  const { name, app } = service;
  try {
    await readWholeLog(service);
  } catch (error) {
    return reportProblem(say, `${name}: its events cannot be read by this version: ${(error as Error).message}`);
  }
  let problems = 0;
  const projector = app.get(Projector);
  await projector.prepare();
  for (const group of [name, ...projector.groups])
    for (const { topic, partition, behind } of await host.broker.lag(group))
      if (behind < 0)
        problems += reportProblem(say, `${group}: has read ${-behind} events past the end of ${topic}, partition ${partition}`);
  return problems;
}

/** Rejects with `NotDone` if only rows are wrong. */
async function verifyRows(prepared: readonly Prepared[], host: Host, say: Say): Promise<number> {
  let problems = 0;
  for (const message of await waitUntilIdle(prepared, host.broker)) problems += reportProblem(say, message);
  if (problems > 0) return problems;
  const bar = progressBar('read models');
  const total = prepared.reduce((sum, { app }) => sum + app.get(Projector).names.length, 0);
  let compared = 0;
  for (const service of prepared) {
    for await (const verdict of compareRows(service)) {
      bar.end();
      problems += reportRows(service.name, verdict, say);
      bar.show('verify', ++compared, total);
    }
  }
  bar.end();
  if (problems === 0) return 0;
  throw new NotDone(
    'the events are complete, but some rows differ from a replay: no backup is needed, rebuild these read models as shown above',
  );
}

function reportRows(service: string, { projection, rows, differing, obstacle }: RowsVerdict, say: Say): number {
  if (obstacle !== null) {
    say(`${projectionLabel(service, projection)}NOT compared`);
    return reportProblem(say, `${service}: ${projection}: ${obstacle}: parlance redrive ${service} --projection ${projection}`);
  }
  say(`${projectionLabel(service, projection)}${rows} rows, ${differing.length === 0 ? 'equal to a replay' : 'DIFFERENT from a replay'}`);
  for (const key of differing) reportProblem(say, `${service}.db: table ${key.replace('/', ', key ')}: its row differs from a replay`);
  if (differing.length > 0) say(`  build its rows again: parlance replay ${service} ${projection} --reset`);
  return differing.length;
}
