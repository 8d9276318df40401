import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { Controller, HttpCode, Post, Res } from '@nestjs/common';
import { EventStreams } from '@parlance/foundation';
import { Caller, FreshId, LongAnswer, Published, refused } from '@parlance/http';
import { Answers, component, Summary, Takes } from '@parlance/openapi';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { StandardBody } from '../openai/openai-route.ts';
import { McpServing } from './mcp-server.ts';

const anything = { type: ['string', 'integer', 'null'] } as const;

const MESSAGE = component('JsonRpcMessage', {
  type: 'object',
  required: ['jsonrpc', 'method'],
  properties: {
    jsonrpc: { const: '2.0' },
    id: { ...anything, description: 'Omitted in notifications.' },
    method: { type: 'string', description: 'Such as `initialize`, `tools/list` or `tools/call`.' },
    params: { type: 'object' },
  },
  example: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
});

const ANSWER = component('JsonRpcAnswer', {
  type: 'object',
  required: ['jsonrpc', 'id'],
  properties: { jsonrpc: { const: '2.0' }, id: anything, result: { type: 'object' }, error: { type: 'object' } },
  example: { jsonrpc: '2.0', id: 1, result: { tools: [] } },
});

/** Refused, because it would keep a stream open for changes that never happen. */
const SUBSCRIBE = 'subscriptions/listen';
const METHOD_NOT_FOUND = -32_601;

const noSubscriptions = (id: unknown) => ({
  jsonrpc: '2.0',
  id: typeof id === 'string' || typeof id === 'number' ? id : null,
  error: { code: METHOD_NOT_FOUND, message: 'This server has no subscriptions: its tools never change.' },
});

/** A published bot as an MCP server. */
@Controller('published/:apiId/:stage/mcp')
@Published()
export class PublishedMcpController {
  constructor(
    private readonly serving: McpServing,
    private readonly streams: EventStreams,
  ) {}

  @Post()
  @LongAnswer()
  @HttpCode(200)
  @Summary(
    'Call the bot through the Model Context Protocol, with one JSON-RPC message and without sessions. Its tools are `ask` and `search_knowledge`.',
  )
  @Takes(MESSAGE)
  @Answers(200, ANSWER, { description: 'The answer to a request. A notification is answered with 202, without a body.' })
  @Answers(200, { type: 'string' }, { mediaType: 'text/event-stream' })
  async post(@Caller() caller: Caller, @FreshId() id: string, @StandardBody() body: unknown, @Res() reply: FastifyReply): Promise<void> {
    if (typeof body !== 'object' || body === null || Array.isArray(body))
      throw refused('invalid_body', [{ path: '', message: 'must be one JSON-RPC message. Batches are not supported' }]);
    const { method, id: requestId } = body as { readonly method?: unknown; readonly id?: unknown };
    if (method === SUBSCRIBE) return void reply.send(noSubscriptions(requestId));
    await this.streams.whileOpen(reply, async (reader) => {
      const request = new Request('http://localhost/mcp', { method: 'POST', headers: headersOf(reply.request), signal: reader });
      await send(reply, await this.serving.answer(request, body, { caller, id, reader }));
    });
  }
}

/** The headers that the protocol reads. */
const headersOf = ({ headers }: FastifyRequest): Headers =>
  new Headers(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value === 'string' && (name.startsWith('mcp-') || name === 'accept' || name === 'content-type') ? [[name, value]] : [],
    ),
  );

async function send(reply: FastifyReply, { status, headers, body }: Response): Promise<void> {
  void reply.status(status).headers(Object.fromEntries(headers)).header('x-accel-buffering', 'no');
  if (!body) return void reply.send();
  const stream = Readable.fromWeb(body);
  void reply.send(stream);
  // The client may leave before the end.
  await finished(stream).catch(() => undefined);
}
