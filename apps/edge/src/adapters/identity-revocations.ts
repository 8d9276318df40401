import { type Poll, type RevocationNews, RevocationSource } from '@parlance/revocation';
import type { ServiceCalls } from '@parlance/calls';

const PATH = '/internal/revocations';

/** Reads what identity has revoked. */
export class IdentityRevocations extends RevocationSource {
  constructor(private readonly calls: ServiceCalls) {
    super();
  }

  poll({ watcher, seen, wait }: Poll): Promise<RevocationNews> {
    return this.calls.get('identity', PATH, { query: { watcher, seen: seen ?? undefined, wait } });
  }

  async revokedOf(keys: readonly string[]): Promise<readonly string[]> {
    return (await this.calls.get<{ revoked: readonly string[] }>('identity', `${PATH}/state`, { query: { keys: keys.join(',') } })).revoked;
  }
}
