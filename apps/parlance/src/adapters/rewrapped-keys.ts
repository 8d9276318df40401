import { databasesOf } from '@parlance/installation/mongo-databases';
import { rewrapMongoSubjectKeys } from '@parlance/privacy/mongo';

/** The stored keys of all services of a cluster, which may run. */
export class RewrappedKeys {
  private constructor(private readonly databases: Awaited<ReturnType<typeof databasesOf>>) {}

  static async open(uri: string): Promise<RewrappedKeys> {
    return new RewrappedKeys(await databasesOf(uri, 'service-keys'));
  }

  /** Resolves with the number of changed keys. */
  rewrap(service: string, rewrapped: (wrapped: string, id: string) => string): Promise<number> {
    return rewrapMongoSubjectKeys(this.databases.of(service), rewrapped);
  }

  close(): Promise<void> {
    return this.databases.client.close();
  }
}
