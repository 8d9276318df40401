import { Client, SdkHttpError, StreamableHTTPClientTransport, type Tool as ServerTool } from '@modelcontextprotocol/client';
import type { McpServerConfig } from '@parlance/config';
import type { GuardedFetch } from '@parlance/guarded-fetch';
import type { ToolResult } from '../tool.ts';
import { ConnectionRequired, type McpCredentials } from './credentials.ts';
import { END_MILLIS, MOST_PAGES } from './limits.ts';
import { resultOf } from './tool-result.ts';
import { webFetch } from './web-fetch.ts';

export interface McpServer {
  readonly name: string;
  readonly config: McpServerConfig;
}

/** What a session needs from its process. */
export interface SessionParts {
  readonly fetch: GuardedFetch;
  readonly credentials: McpCredentials;
}

/** Accepts every result. The schemas come from untrusted servers, and a model does not need valid results. */
const NO_VALIDATION = { getValidator: () => (data: unknown) => ({ valid: true as const, data: data as never, errorMessage: undefined }) };

/** A session of one user with one server. */
export class McpSession {
  private token: string | null = null;
  private readonly ends = new AbortController();

  private constructor(
    private readonly client: Client,
    private transport: StreamableHTTPClientTransport | null = null,
  ) {}

  /** Rejects with `ConnectionRequired`, `FetchRefused` or an error of the protocol. */
  static async open({ name, config }: McpServer, userId: string, parts: SessionParts, timeout: number): Promise<McpSession> {
    const client = new Client(
      { name: 'parlance', version: '1' },
      {
        capabilities: {},
        versionNegotiation: { mode: 'auto' },
        inputRequired: { autoFulfill: false },
        jsonSchemaValidator: NO_VALIDATION,
      },
    );
    const session = new McpSession(client);
    const transport = new StreamableHTTPClientTransport(new URL(config.url), {
      fetch: session.fetchOf(config, parts),
      requestInit: { headers: { ...config.headers, ...(config.api_key !== null && { authorization: `Bearer ${config.api_key}` }) } },
      reconnectionOptions: { maxRetries: 0, initialReconnectionDelay: 1, maxReconnectionDelay: 1, reconnectionDelayGrowFactor: 1 },
      ...(config.auth === 'oauth' && { authProvider: session.authOf(name, userId, parts.credentials) }),
    });
    session.transport = transport;
    try {
      await client.connect(transport, { timeout, maxTotalTimeout: timeout });
    } catch (error) {
      await session.close();
      throw error;
    }
    return session;
  }

  /** The tools with these names, in the server's order. */
  async tools(wanted: ReadonlySet<string>, signal: AbortSignal, timeout: number): Promise<readonly ServerTool[]> {
    const found: ServerTool[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < MOST_PAGES; page++) {
      const { tools, nextCursor } = await this.client.listTools(cursor === undefined ? {} : { cursor }, { signal, timeout });
      found.push(...tools.filter(({ name }) => wanted.has(name)));
      if (nextCursor === undefined || nextCursor === cursor) break;
      cursor = nextCursor;
    }
    return found;
  }

  async call(tool: ServerTool, input: Record<string, unknown>, signal: AbortSignal, timeout: number): Promise<ToolResult> {
    const options = { signal, timeout, maxTotalTimeout: timeout, toolDefinition: tool };
    return resultOf(await this.client.callTool({ name: tool.name, arguments: input }, options));
  }

  /** Notifies the server that the session ends, and closes all connections. Never rejects. */
  async close(): Promise<void> {
    const timer = setTimeout(() => this.ends.abort(new Error('The session was closed.')), END_MILLIS);
    await this.transport?.terminateSession().catch(() => {});
    clearTimeout(timer);
    await this.client.close().catch(() => {});
    this.ends.abort(new Error('The session was closed.'));
  }

  private fetchOf({ timeout_seconds }: McpServerConfig, { fetch }: SessionParts) {
    const guarded = webFetch(fetch, { timeoutMillis: timeout_seconds * 1_000, signal: this.ends.signal });
    // A stream without a request would never end. Servers may refuse it, and clients can work without it.
    return async (url: string | URL, init?: RequestInit) =>
      (init?.method ?? 'GET') === 'GET' ? new Response(null, { status: 405 }) : guarded(url, init);
  }

  private authOf(server: string, userId: string, credentials: McpCredentials) {
    const required = (token: string | null): string => {
      if (token === null) throw new ConnectionRequired(server);
      this.token = token;
      return token;
    };
    return {
      token: async () => required(await credentials.token(server, userId, this.ends.signal)),
      onUnauthorized: async () => void required(await credentials.renewed(server, userId, this.token ?? '', this.ends.signal)),
    };
  }
}

/** The server no longer knows the session, so it has not carried out the request. */
export const isForgotten = (error: unknown): boolean => error instanceof SdkHttpError && error.status === 404;
