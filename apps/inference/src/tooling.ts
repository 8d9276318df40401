import { LOGGER } from '@parlance/foundation';
import { BuiltinTools } from './adapters/tools/builtin-tools.ts';
import { McpServers } from './adapters/tools/mcp-servers.ts';
import { McpToolSource } from './adapters/tools/mcp-tool-source.ts';
import { ToolTokens } from './adapters/tools/tool-tokens.ts';
import { Toolbox, toolboxOf } from './adapters/tools/toolbox.ts';
import { ToolConnectionCallbackController, ToolConnectionsController } from './http/tool-connections.controller.ts';
import { ImageTools } from './workflows/tools/image-tools.ts';
import { RenewedTokens } from './workflows/tools/renewed-tokens.ts';
import { ToolConnections } from './workflows/tools/tool-connections.ts';
import { ToolImages } from './workflows/tools/tool-images.ts';
import { ToolResults } from './workflows/tools/tool-results.ts';
import { ToolRounds } from './workflows/tools/tool-rounds.ts';

/** The parts of the module that call tools and connect users with their servers. */
export const tooling = {
  controllers: [ToolConnectionsController, ToolConnectionCallbackController],
  providers: [
    ToolResults,
    ToolRounds,
    { provide: Toolbox, useFactory: toolboxOf, inject: [LOGGER, BuiltinTools, ImageTools, McpToolSource] },
    BuiltinTools,
    ImageTools,
    ToolImages,
    McpServers,
    ToolConnections,
    RenewedTokens,
    { provide: ToolTokens, useExisting: RenewedTokens },
    McpToolSource,
  ],
};
