import { Controller, Get } from '@nestjs/common';
import { Internal } from '@parlance/http';
import { BuiltinTools } from '../adapters/tools/builtin-tools.ts';
import { McpServers } from '../adapters/tools/mcp-servers.ts';
import { Catalogue } from '../adapters/pricing/catalogue.ts';
import { ImageTools } from '../workflows/tools/image-tools.ts';

interface Offers {
  readonly models: readonly string[];
  /** The models that can read pages of documents. */
  readonly page_models: readonly string[];
  readonly tools: readonly string[];
  readonly tool_servers: readonly string[];
}

/** The models and tools that a bot may name, for the bots service. */
@Controller('internal/offers')
@Internal()
export class InternalOffersController {
  constructor(
    private readonly catalogue: Catalogue,
    private readonly tools: BuiltinTools,
    private readonly images: ImageTools,
    private readonly servers: McpServers,
  ) {}

  /** Depends only on the configuration: a provider or tool server is included even if it does not answer now. */
  @Get()
  async offers(): Promise<Offers> {
    return {
      models: this.catalogue.list.map(({ id }) => id),
      page_models: this.catalogue.pageModels,
      tools: [...(await this.tools.list()), ...(await this.images.list())].map(({ name }) => name),
      tool_servers: [...this.servers.all.keys()],
    };
  }
}
