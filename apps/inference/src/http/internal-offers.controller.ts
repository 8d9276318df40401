import { Controller, Get } from '@nestjs/common';
import { Internal } from '@parlance/http';
import { BuiltinTools } from '../adapters/tools/builtin-tools.ts';
import { McpServers } from '../adapters/tools/mcp-servers.ts';
import { Catalogue } from '../adapters/catalogue.ts';

/** What a bot may name in this installation, for services that take over bots of others. */
@Controller('internal/offers')
@Internal()
export class InternalOffersController {
  constructor(
    private readonly catalogue: Catalogue,
    private readonly tools: BuiltinTools,
    private readonly servers: McpServers,
  ) {}

  /** From the configuration alone: a provider or a server of tools that does not answer now is still on offer. */
  @Get()
  async offers(): Promise<{ models: readonly string[]; tools: readonly string[]; tool_servers: readonly string[] }> {
    return {
      models: this.catalogue.list.map(({ id }) => id),
      tools: (await this.tools.list()).map(({ name }) => name),
      tool_servers: [...this.servers.all.keys()],
    };
  }
}
