import { Injectable } from '@nestjs/common';
import { ServiceCalls } from '@parlance/calls';
import { Refusal, refuse } from '@parlance/decider';
import { type FileDoor, openRedirectingDoor } from '@parlance/object-store/doors';

/** The services that store files. They use the same store, so each of them can locate a file. */
const STORING_SERVICES = ['inference', 'analytics', 'bots'] as const;

/** Finds files in a store that clients reach directly. The edge has no credentials for the store. */
@Injectable()
export class StoredFiles {
  constructor(private readonly calls: ServiceCalls) {}

  door(secret: Uint8Array): FileDoor {
    return openRedirectingDoor({ secret, locate: (key, fileName) => this.locate(key, fileName) });
  }

  /** The store's own URL for the file, valid for a minute. Rejects with `service_unavailable` if no service answers. */
  private async locate(key: string, fileName: string | undefined): Promise<string> {
    const query = { key, file_name: fileName };
    for (const service of STORING_SERVICES) {
      try {
        return (await this.calls.get<{ url: string }>(service, '/internal/stored-files/location', { query })).url;
      } catch (error) {
        if (!(error instanceof Refusal) || error.kind !== 'unavailable') throw error;
      }
    }
    throw refuse('unavailable', 'service_unavailable', 'The file cannot be found now. Try again.', { retry_after: 1 });
  }
}
