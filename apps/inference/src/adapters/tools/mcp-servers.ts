import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Config, type McpServerConfig } from '@parlance/config';
import { GuardedFetch } from '@parlance/guarded-fetch';
import type { McpOAuth } from '@parlance/tools/mcp';

/** The configured tool servers, and the client for their authorization servers. */
@Injectable()
export class McpServers implements OnModuleDestroy {
  /** Servers by name, without disabled ones. */
  readonly all: ReadonlyMap<string, McpServerConfig>;
  readonly fetch: GuardedFetch;
  private oauth: Promise<McpOAuth> | undefined;

  constructor({ mcpServers, fetchAllowedPrivateRanges }: Config) {
    this.all = new Map(Object.entries(mcpServers).filter(([, { enabled }]) => enabled));
    this.fetch = new GuardedFetch({ allowedPrivateRanges: fetchAllowedPrivateRanges });
  }

  /** The names of the servers to which users connect accounts. */
  get withAccounts(): readonly string[] {
    return [...this.all].filter(([, { auth }]) => auth === 'oauth').map(([name]) => name);
  }

  /** The server, if users in these groups can connect accounts to it. Otherwise null. */
  connectable(name: string, groups: readonly string[]): McpServerConfig | null {
    const server = this.all.get(name);
    const isFor = server?.groups.length === 0 || server?.groups.some((group) => groups.includes(group));
    return server?.auth === 'oauth' && isFor ? server : null;
  }

  /** Loaded when first needed, because most installations have no server. */
  client(): Promise<McpOAuth> {
    return (this.oauth ??= import('@parlance/tools/mcp').then(({ McpOAuth: Client }) => new Client(this.fetch)));
  }

  onModuleDestroy(): Promise<void> {
    return this.fetch.close();
  }
}
