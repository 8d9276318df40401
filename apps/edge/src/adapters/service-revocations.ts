import { type Poll, type RevocationNews, RevocationSource } from '@parlance/revocation';
import type { ServiceCalls } from '@parlance/calls';

const PATH = '/internal/revocations';

/** Reads what a service has revoked. */
export class ServiceRevocations extends RevocationSource {
  constructor(
    private readonly calls: ServiceCalls,
    private readonly service: string,
  ) {
    super();
  }

  poll({ watcher, seen, wait }: Poll): Promise<RevocationNews> {
    return this.calls.get(this.service, PATH, { query: { watcher, seen: seen ?? undefined, wait } });
  }

  async revokedOf(keys: readonly string[]): Promise<readonly string[]> {
    const query = { keys: keys.join(',') };
    return (await this.calls.get<{ revoked: readonly string[] }>(this.service, `${PATH}/state`, { query })).revoked;
  }
}
