import type { Config } from '@parlance/config';
import { acceptLoss as acceptLossOf, BROKER, DataDirectory, filesUsed, MANIFEST, refusals } from '@parlance/installation';
import { NotDone } from './not-done.ts';

/** Files that are in the data directory even if the logs are in MongoDB. */
const FILES_BESIDE_MONGO = [BROKER, MANIFEST];

/**
 * `parlance accept-loss LOG`: accepts that part of one log is missing, so that the next start continues with the existing data. It is a
 * command rather than an option of `start`, so that it cannot stay in a script and hide the next loss.
 */
export async function acceptLoss(config: Config, [log]: readonly string[]): Promise<void> {
  if (log === undefined) throw new NotDone('name the log that the start refuses: parlance accept-loss analytics');
  const isFile = config.mongoUri === null || (config.kafkaBrokers.length === 0 && FILES_BESIDE_MONGO.includes(log));
  const refused = await (isFile ? inFiles(config, log) : inMongo(config.mongoUri!, log));
  if (refused === null) throw new NotDone(`nothing is wrong with the data of ${log}: nothing was changed`);
  process.stdout.write(`Accepted: the data of ${log} ${refused.reason}. The next start continues with the existing data.\n`);
  process.stdout.write(`It rebuilds the read models of other services' events.\n`);
}

async function inFiles(config: Config, log: string) {
  const directory = DataDirectory.take(config.dataDir);
  try {
    // First, so that the loss is still reported if this process is killed.
    if (config.mongoUri !== null && refusals(config.dataDir, filesUsed(config)).some((each) => each.log === log)) {
      const { rebuildForeignInDatabases } = await import('@parlance/installation/database');
      await rebuildForeignInDatabases(config.mongoUri, await namesOfServices());
    }
    return await acceptLossOf(directory.path, log, filesUsed(config));
  } finally {
    directory.release();
  }
}

async function inMongo(uri: string, log: string) {
  const { serviceNamed } = await import('./services.ts');
  serviceNamed(log);
  const { acceptLossInDatabase } = await import('@parlance/installation/database');
  return acceptLossInDatabase(uri, log, await namesOfServices());
}

const namesOfServices = async () => (await import('./services.ts')).services.map(({ name }) => name);
