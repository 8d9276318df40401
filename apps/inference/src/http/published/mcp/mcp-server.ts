import { Inject, Injectable } from '@nestjs/common';
import type { McpHttpHandler, ServerContext } from '@modelcontextprotocol/server';
import { ServiceCalls } from '@parlance/calls';
import { Refusal } from '@parlance/decider';
import { LOGGER, Timers, VERSION } from '@parlance/foundation';
import type { Caller } from '@parlance/http';
import type { Logger } from 'pino';
import { calledBot } from '../published-replies.ts';
import { type BotCall, BotTools, type ToolAnswer } from './bot-tools.ts';
import { Answer, AskInput, FoundTexts, SearchInput } from './tool-schemas.ts';

/** How often progress is reported to clients that request it. Clients give up after a minute of silence. */
const PROGRESS_MILLIS = 10_000;

/** The title and the description of a bot, which its owner wrote. The bots service limits their length. */
interface BotTexts {
  readonly title: string;
  readonly description: string;
}

/** Stands in for the texts of a bot that was deleted, or whose texts cannot be read now. Calls of its tools report the actual error. */
const UNNAMED: BotTexts = { title: 'parlance', description: '' };

/** Serves the tools of published bots with the official SDK, without sessions. */
@Injectable()
export class McpServing {
  private handler: Promise<McpHttpHandler> | null = null;

  constructor(
    private readonly tools: BotTools,
    private readonly calls: ServiceCalls,
    private readonly timers: Timers,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /** Answers a bad request with an error in the protocol instead of rejecting. `body` is the parsed JSON. */
  async answer(request: Request, body: unknown, call: BotCall): Promise<Response> {
    const { caller } = call;
    const handler = await (this.handler ??= this.createHandler());
    return handler.fetch(request, {
      parsedBody: body,
      authInfo: { token: '', clientId: caller.api?.keyId ?? '', scopes: [], extra: { call } },
    });
  }

  /** The SDK is loaded with the first request. */
  private async createHandler(): Promise<McpHttpHandler> {
    const { createMcpHandler, McpServer } = await import('@modelcontextprotocol/server');
    return createMcpHandler(
      async ({ authInfo }) => {
        const call = authInfo!.extra!['call'] as BotCall;
        const { title, description } = await this.textsOf(call.caller);
        const server = new McpServer(
          { name: title, title, version: VERSION },
          { capabilities: { tools: { listChanged: false } }, ...(description !== '' && { instructions: description }) },
        );
        server.registerTool(
          'ask',
          {
            description: 'Asks the bot, and answers when the bot has written its whole reply.',
            inputSchema: AskInput,
            outputSchema: Answer,
            annotations: { title: 'Ask the bot', readOnlyHint: false, destructiveHint: false },
          },
          async (input, context) => resultOf(await this.withProgress(context, this.tools.ask(call, input))),
        );
        server.registerTool(
          'search_knowledge',
          {
            description: 'Searches the knowledge of the bot, and returns the best matching texts, without an answer by a model.',
            inputSchema: SearchInput,
            outputSchema: FoundTexts,
            annotations: { title: 'Search the knowledge of the bot', readOnlyHint: true },
          },
          async (input) => resultOf(await this.tools.search(call, input)),
        );
        return server;
      },
      // A reply may take minutes. Comments in a stream keep proxies from closing it.
      { responseMode: 'sse', onerror: (error) => this.log.debug({ err: error }, 'an MCP request was refused') },
    );
  }

  private async textsOf(caller: Caller): Promise<BotTexts> {
    try {
      const { texts } = await this.calls.get<{ texts?: BotTexts }>('bots', `/internal/bots/${calledBot(caller)}/seen?texts=true`);
      // A replica of an earlier release leaves them out.
      return texts ?? UNNAMED;
    } catch (error) {
      if (error instanceof Refusal) return UNNAMED;
      throw error;
    }
  }

  private async withProgress<Result>({ mcpReq }: ServerContext, work: Promise<Result>): Promise<Result> {
    const { _meta: meta } = mcpReq;
    const progressToken = meta?.progressToken;
    if (progressToken === undefined) return work;
    const ended = new AbortController();
    const reporting = (async () => {
      for (let progress = 1; !ended.signal.aborted; progress++) {
        await this.timers.pause(PROGRESS_MILLIS, ended.signal);
        if (ended.signal.aborted) return;
        await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, message: 'The bot is writing.' } });
      }
    })();
    try {
      return await work;
    } finally {
      ended.abort();
      // The client may have left.
      await reporting.catch(() => undefined);
    }
  }
}

const resultOf = ({ content, structuredContent, ...rest }: ToolAnswer<object>) => ({
  ...rest,
  content: [...content],
  ...(structuredContent && { structuredContent: { ...structuredContent } }),
});
