import { Inject, Injectable } from '@nestjs/common';
import type { McpHttpHandler } from '@modelcontextprotocol/server';
import { LOGGER, VERSION } from '@parlance/foundation';
import type { Logger } from 'pino';
import { type BotCall, BotTools, type ToolAnswer } from './bot-tools.ts';
import { Answer, AskInput, FoundTexts, SearchInput } from './tool-schemas.ts';

/** Serves the tools of published bots by the official SDK, without sessions. */
@Injectable()
export class McpServing {
  private handler: Promise<McpHttpHandler> | null = null;

  constructor(
    private readonly tools: BotTools,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /** Never rejects because of a request: errors are answers of the protocol. `body` is the parsed JSON. */
  async answer(request: Request, body: unknown, call: BotCall): Promise<Response> {
    const { caller } = call;
    const handler = await (this.handler ??= this.made());
    return handler.fetch(request, {
      parsedBody: body,
      authInfo: { token: '', clientId: caller.api?.keyId ?? '', scopes: [], extra: { call } },
    });
  }

  /** The SDK is loaded with the first request. */
  private async made(): Promise<McpHttpHandler> {
    const { createMcpHandler, McpServer } = await import('@modelcontextprotocol/server');
    return createMcpHandler(
      ({ authInfo }) => {
        const call = authInfo!.extra!['call'] as BotCall;
        const server = new McpServer({ name: 'parlance', version: VERSION });
        server.registerTool(
          'ask',
          {
            description: 'Asks the bot, and answers when the bot has written its whole reply.',
            inputSchema: AskInput,
            outputSchema: Answer,
            annotations: { title: 'Ask the bot', readOnlyHint: false, destructiveHint: false },
          },
          async (input) => resultOf(await this.tools.ask(call, input)),
        );
        server.registerTool(
          'search_knowledge',
          {
            description: 'Searches the knowledge of the bot, and answers the texts that fit best. No model answers.',
            inputSchema: SearchInput,
            outputSchema: FoundTexts,
            annotations: { title: 'Search the knowledge of the bot', readOnlyHint: true },
          },
          async (input) => resultOf(await this.tools.search(call, input)),
        );
        return server;
      },
      // A reply may take minutes. Comments in a stream keep proxies from closing it.
      { responseMode: 'sse', onerror: (error) => this.log.debug({ err: error }, 'a request of the Model Context Protocol was refused') },
    );
  }
}

const resultOf = ({ content, structuredContent, ...rest }: ToolAnswer<object>) => ({
  ...rest,
  content: [...content],
  ...(structuredContent && { structuredContent: { ...structuredContent } }),
});
