import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { randomUUID } from 'node:crypto';
import {
  createMcpHandler,
  fromJsonSchema,
  McpServer,
  type ToolAnnotations,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';

export interface ServedTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema?: Record<string, unknown>;
  readonly annotations?: ToolAnnotations;
  readonly does?: (input: Record<string, unknown>) => unknown;
}

export interface TestMcpServer {
  readonly url: string;
  /** The tools that are served from now on. */
  tools: readonly ServedTool[];
  /** The requests: methods of the protocol, with the tool's name for a call, and DELETE. */
  readonly asked: string[];
  /** The headers of the requests. */
  readonly headers: IncomingMessage['headers'][];
  /** Open connections. */
  readonly open: Set<Socket>;
  /** Session IDs, with the revision that has sessions. */
  readonly sessions: Map<string, WebStandardStreamableHTTPServerTransport>;
  /** Answers a request before the protocol does. Returns true if it answered. */
  intercept: ((method: string, request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>) | null;
  stop(): Promise<void>;
}

/** A server of the official SDK on a loopback address: revision 2026, without sessions, or revision 2025, with sessions. */
export async function mcpServer(tools: readonly ServedTool[], revision: '2025' | '2026' = '2026'): Promise<TestMcpServer> {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const make = () => {
    const server = new McpServer({ name: 'test', version: '1' });
    for (const { name, description = '', inputSchema, annotations, does } of served.tools) {
      const schema = fromJsonSchema<Record<string, unknown>>((inputSchema ?? { type: 'object' }) as never);
      server.registerTool(
        name,
        { description, inputSchema: schema, ...(annotations && { annotations }) },
        async (input: Record<string, unknown>) => {
          const result = (await does?.(input)) ?? `${name} ${JSON.stringify(input)}`;
          return typeof result === 'string' ? { content: [{ type: 'text' as const, text: result }] } : (result as never);
        },
      );
    }
    return server;
  };
  const modern = createMcpHandler(make, { onerror: () => {} } as never);
  const handled = async (request: Request): Promise<Response> => {
    if (revision === '2026') return modern.fetch(request);
    const known = request.headers.get('mcp-session-id');
    if (known !== null) {
      const session = sessions.get(known);
      return session ? session.handleRequest(request) : new Response('{"error":"gone"}', { status: 404 });
    }
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
    });
    await make().connect(transport);
    return transport.handleRequest(request);
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const { method = request.method!, params } = body.startsWith('{')
      ? (JSON.parse(body) as { method?: string; params?: { name?: string } })
      : {};
    served.asked.push(method === 'tools/call' ? `call ${params?.name}` : method);
    served.headers.push(request.headers);
    if (await served.intercept?.(method, request, response)) return;
    const headers = new Headers(request.headers as Record<string, string>);
    const asked = new Request(`http://${request.headers.host}${request.url}`, {
      method: request.method!,
      headers,
      ...(body !== '' && { body }),
    });
    const answer = await handled(asked);
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body) for await (const chunk of answer.body) response.write(chunk);
    response.end();
  });
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const served: TestMcpServer = {
    url: `http://127.0.0.1:${port}/mcp`,
    tools,
    asked: [],
    headers: [],
    open,
    sessions,
    intercept: null,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return served;
}
