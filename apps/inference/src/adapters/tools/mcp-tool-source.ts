import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { ServiceCalls } from '@parlance/calls';
import { LOGGER } from '@parlance/foundation';
import { type ListedTool, type Tool, ToolSource, type ToolUser } from '@parlance/tools';
import type { McpTools } from '@parlance/tools/mcp';
import type { Logger } from 'pino';
import { McpServers } from './mcp-servers.ts';
import { ToolTokens } from './tool-tokens.ts';
import { groupsOf } from './user-groups.ts';

/** The tools of the configured MCP servers. */
@Injectable()
export class McpToolSource extends ToolSource implements OnApplicationBootstrap, OnModuleDestroy {
  private opened: Promise<McpTools> | undefined;

  constructor(
    private readonly servers: McpServers,
    private readonly tokens: ToolTokens,
    private readonly calls: ServiceCalls,
    @Inject(LOGGER) private readonly log: Logger,
  ) {
    super();
  }

  /** Loads the MCP client, which blocks the event loop for 150 ms and needs 34 MB. Installations without servers do not load it. */
  async onApplicationBootstrap(): Promise<void> {
    if (this.servers.all.size > 0) await this.open();
  }

  override async find(names: readonly string[], user: ToolUser, signal: AbortSignal): Promise<readonly Tool[]> {
    if (!names.some((name) => this.servers.all.has(name.split('__', 1)[0]!))) return [];
    return (await this.open()).find(names, user, signal);
  }

  override async list(userId: string): Promise<readonly ListedTool[]> {
    return this.servers.all.size === 0 ? [] : (await this.open()).list(userId);
  }

  /** Call it after a user has connected or disconnected a server. Other processes use the old list of tools for some more minutes. */
  async connectionChanged(server: string, userId: string): Promise<void> {
    await (await this.opened)?.connectionChanged(server, userId);
  }

  async onModuleDestroy(): Promise<void> {
    await (await this.opened)?.close();
  }

  private open(): Promise<McpTools> {
    const { all, fetch } = this.servers;
    return (this.opened ??= import('@parlance/tools/mcp').then(
      ({ McpTools: Tools }) =>
        new Tools({
          servers: Object.fromEntries(all),
          fetch,
          credentials: this.tokens,
          groupsOf: (userId) => groupsOf(this.calls, userId),
          leftOut: (server, err) => this.log.warn({ err, server }, 'tools of a server are left out of a reply'),
        }),
    ));
  }
}
