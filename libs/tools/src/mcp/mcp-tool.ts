import { ProtocolError, SdkError, SdkErrorCode, type Tool as ServerTool } from '@modelcontextprotocol/client';
import { FetchRefused } from '@parlance/guarded-fetch';
import { Tool, type ToolContext, type ToolDefinition, type ToolResult } from '../tool.ts';
import { ConnectionRequired } from './credentials.ts';
import { plainText } from '../plain-text.ts';
import type { McpServer } from './mcp-session.ts';
import { type McpSessions, TooManySessions } from './mcp-sessions.ts';
import { isFaultOfServer, type ServerHealth } from './server-health.ts';

/** Characters of a server's error that are passed to the model. */
const MOST_ERROR = 1_000;

/** The result that asks the user to connect the server. It begins with the code `connection_required`, so that a client can offer the connection. */
export const connectionRequired = (server: string): ToolResult => ({
  isError: true,
  text:
    `connection_required: ${server}. The tool was not called, because the user has not connected ${server}, or its access has ended. ` +
    `Ask the user to connect ${server} in the settings of tools, and then to repeat the request.`,
});

export interface ServerInUse {
  readonly server: McpServer;
  readonly sessions: McpSessions;
  readonly health: ServerHealth;
}

/** A tool of an MCP server. */
export class McpTool extends Tool {
  constructor(
    readonly definition: ToolDefinition,
    readonly writes: boolean,
    private readonly served: ServerTool,
    private readonly use: ServerInUse,
    override readonly mayGoUnasked: boolean,
  ) {
    super();
  }

  override async call(input: unknown, { userId, apiId }: ToolContext, signal: AbortSignal): Promise<ToolResult> {
    const { server, sessions, health } = this.use;
    if (typeof input !== 'object' || input === null || Array.isArray(input))
      return failed('The input of this tool must be a JSON object. Call it again with an object.');
    if (health.isPaused) return failed(`The server ${server.name} is not working at the moment. Continue without it, or try again later.`);
    const millis = server.config.timeout_seconds * 1_000;
    try {
      const called = await sessions.use(server, apiId ?? userId, signal, (session) =>
        session.call(this.served, input as Record<string, unknown>, signal, millis),
      );
      health.worked();
      return called;
    } catch (error) {
      signal.throwIfAborted();
      if (isFaultOfServer(error)) health.callFailed();
      return resultFor(error, server.name, server.config.timeout_seconds);
    }
  }
}

/** Replaces a tool of a server that the user has not connected. */
export class UnconnectedTool extends Tool {
  readonly writes = false;
  readonly definition: ToolDefinition;

  constructor(
    name: string,
    private readonly server: string,
  ) {
    super();
    this.definition = {
      name,
      description: `A tool of ${server}, which the user has not connected yet. Call it with {} when it is needed: the result says how the user connects ${server}.`,
      inputSchema: { type: 'object', properties: {} },
    };
  }

  override call(): Promise<ToolResult> {
    return Promise.resolve(connectionRequired(this.server));
  }
}

const failed = (text: string): ToolResult => ({ text, isError: true });

/** The failure as a text for the model and its user. It does not contain the server's address. */
function resultFor(error: unknown, server: string, seconds: number): ToolResult {
  if (error instanceof ConnectionRequired) return connectionRequired(server);
  if (error instanceof TooManySessions) return failed(`${error.message} Try again later.`);
  if (error instanceof ProtocolError) return failed(`The server ${server} refused the call: ${plainText(error.message, MOST_ERROR)}`);
  if (error instanceof FetchRefused) return failed(`The call of ${server} failed. ${error.message}`);
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout)
    return failed(`The server ${server} did not answer in ${seconds} seconds. It is not known whether the call had an effect.`);
  return failed(`The server ${server} returned no valid answer. It is not known whether the call had an effect.`);
}
