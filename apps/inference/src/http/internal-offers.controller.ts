import { Controller, Get } from '@nestjs/common';
import { Internal } from '@parlance/http';
import { BuiltinTools } from '../adapters/tools/builtin-tools.ts';
import { McpServers } from '../adapters/tools/mcp-servers.ts';
import { Catalogue } from '../adapters/catalogue.ts';

interface Offers {
  readonly models: readonly string[];
  /** Those of the models that can read the pages of documents. */
  readonly page_models: readonly string[];
  readonly tools: readonly string[];
  readonly tool_servers: readonly string[];
}

/** What a bot may name in this installation, for the service of bots. */
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
  async offers(): Promise<Offers> {
    return {
      models: this.catalogue.list.map(({ id }) => id),
      page_models: this.catalogue.pageModels,
      tools: (await this.tools.list()).map(({ name }) => name),
      tool_servers: [...this.servers.all.keys()],
    };
  }
}
