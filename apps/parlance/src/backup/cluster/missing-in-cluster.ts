import { type DatabaseCopies, type Dumped, readDump } from '@parlance/installation/database-copies';
import { findMissing, type MissingObjects, type NamingFact } from '../missing-objects.ts';
import { type ClusterManifest, dumpOf } from './cluster-manifest.ts';

/** Compares the objects of a backup with its events. `running`: the databases of the cluster, while the backup is made. */
export function missingInCluster(
  directory: string,
  databases: ClusterManifest['databases'],
  running?: DatabaseCopies,
): Promise<MissingObjects> {
  async function* facts(): AsyncGenerator<NamingFact> {
    for (const service of Object.keys(databases)) yield* factsOf(service, readDump(dumpOf(directory, service)));
  }
  return findMissing(directory, facts(), running && (() => factsSince(databases, running)));
}

/** What has happened since the backup's position, and the keys that are destroyed by now. */
async function* factsSince(databases: ClusterManifest['databases'], running: DatabaseCopies): AsyncGenerator<NamingFact> {
  const cuts = await running.cut();
  for (const [service, { position }] of Object.entries(databases))
    yield* factsOf(service, running.documents(service, cuts.get(service) ?? null), position);
}

async function* factsOf(service: string, documents: AsyncIterable<Dumped>, after = 0): AsyncGenerator<NamingFact> {
  for await (const { in: collection, document } of documents)
    if (collection === 'commits') {
      const { stream, events, position = Infinity } = document as { stream: string; events: string; position?: number };
      if (position > after) yield { service, stream, events };
    } else if (collection === 'subject_keys' && document['wrapped'] === null) yield { destroyedKey: String(document._id) };
}
