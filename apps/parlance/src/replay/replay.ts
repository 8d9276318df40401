import { parseArgs } from 'node:util';
import type { Config } from '@parlance/config';
import { openHost, prepareService } from '@parlance/foundation';
import { Projector } from '@parlance/read-models';
import { NotDone } from '../not-done.ts';
import { rebuildByProduct } from '../operator/operator-client.ts';
import { progressBar } from '../progress-bar.ts';
import { projectorOf } from '../repair.ts';
import { services } from '../services.ts';
import { type Rebuilt, type RebuildOrder, rebuildReadModels, requireKnown } from './rebuild.ts';

/**
 * `parlance replay [--service S] [--projection P]`: rebuilds read models while the old rows are served, in the running product or in this
 * process. `parlance replay SERVICE PROJECTION` compares the rows with a second copy that it builds from the events. With `--reset` it removes
 * the rows instead, and the service builds them again.
 */
export async function replay(config: Config, words: readonly string[]): Promise<void> {
  const { values, positionals } = optionsOf(words);
  const { reset, ...order } = values;
  if (positionals.length === 0 && !reset) return rebuild(config, order);
  if (order.service !== undefined || order.projection !== undefined)
    throw new NotDone('give either --service and --projection, or the names of a service and a read model: parlance replay --help');
  const [service, projection = '', extra] = positionals;
  if (extra !== undefined) throw new NotDone(`replay takes one read model at a time, not ${extra}: parlance replay SERVICE PROJECTION`);
  await compareOrReset(config, service, projection, reset === true);
}

function optionsOf(words: readonly string[]) {
  try {
    const options = { service: { type: 'string' }, projection: { type: 'string' }, reset: { type: 'boolean' } } as const;
    return parseArgs({ args: [...words], options, allowPositionals: true });
  } catch (error) {
    throw new NotDone(`${(error as Error).message}: see parlance --help`);
  }
}

async function rebuild(config: Config, order: RebuildOrder): Promise<void> {
  if (order.projection !== undefined && order.service === undefined)
    throw new NotDone('name the service of the read model: parlance replay --service SERVICE --projection NAME');
  requireKnown(order);
  const bar = progressBar('events');
  try {
    const onProgress = (each: Rebuilt) => {
      bar.show(`${each.service}: ${each.projection}`, each.position, each.head, each.events);
      if (each.line !== undefined) bar.print(each.line);
    };
    if (config.mongoUri !== null || !(await rebuildByProduct(config.dataDir, order, onProgress)))
      await rebuildHere(config, order, onProgress);
  } finally {
    bar.end();
  }
}

/** In a cluster, this process is one more replica. The other replicas serve the new rows a few seconds later. */
async function rebuildHere(config: Config, order: RebuildOrder, onProgress: (each: Rebuilt) => void): Promise<void> {
  const host = await openHost(config, true);
  try {
    const isAlone = Object.keys(config.services).length === 0;
    const needed = services.filter(({ name }) => isAlone || order.service === undefined || name === order.service);
    const prepared = [];
    for (const service of needed) prepared.push({ name: service.name, ...(await prepareService(service, host)) });
    const chosen = prepared.filter(({ name }) => order.service === undefined || name === order.service);
    for (const { app } of chosen) await app.get(Projector).start();
    await rebuildReadModels(chosen, order, onProgress);
  } finally {
    await host.shutdown.run();
  }
}

async function compareOrReset(config: Config, name: string | undefined, projection: string, isReset: boolean): Promise<void> {
  const host = await openHost(config, true);
  try {
    const projector = await projectorOf(host, name, projection);
    if (isReset) {
      await projector.reset(projection);
      process.stdout.write(`${projection}: its rows were removed, and are built again when the service runs\n`);
      return;
    }
    const { rows, differing } = await projector.verify(projection);
    const verdict = differing.length === 0 ? 'equal to a replay' : `different from a replay: ${differing.join(', ')}`;
    process.stdout.write(`${projection}: ${rows} rows, ${verdict}\n`);
  } finally {
    await host.shutdown.run();
  }
}
