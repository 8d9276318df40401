import { McpServerConfig } from '@parlance/config';
import { GuardedFetch } from '@parlance/guarded-fetch';
import { McpCredentials } from '../src/mcp/credentials.ts';
import { McpTools, type McpToolsParts } from '../src/mcp/mcp-tools.ts';
import type { Tool, ToolContext, ToolUser } from '../src/tool.ts';

/** Users with the tokens that a test assigns. */
export class TestCredentials extends McpCredentials {
  readonly tokens = new Map<string, string>();
  /** Used after a token was refused. */
  readonly next = new Map<string, string>();

  override async token(server: string, userId: string): Promise<string | null> {
    return this.tokens.get(`${server} ${userId}`) ?? null;
  }

  override async renewed(server: string, userId: string, refused: string): Promise<string | null> {
    const next = this.next.get(refused);
    if (next === undefined) this.tokens.delete(`${server} ${userId}`);
    else this.tokens.set(`${server} ${userId}`, next);
    return next ?? null;
  }
}

export const credentials = new TestCredentials();

/** The tools of one server `docs`, in a process of its own. */
export function mcpToolsOf(config: Partial<McpServerConfig>, parts: Partial<McpToolsParts> = {}) {
  const leftOut: string[] = [];
  const tools = new McpTools({
    servers: { docs: Object.assign(new McpServerConfig(), config) },
    fetch: new GuardedFetch({ allowedPrivateRanges: ['127.0.0.1/32'] }),
    credentials,
    groupsOf: async () => [],
    leftOut: (server, reason) => void leftOut.push(`${server}: ${(reason as Error).message}`),
    ...parts,
  });
  return { tools, leftOut };
}

/** A user with their own bot. */
export const user = (userId: string, more: Partial<ToolUser> = {}): ToolUser => ({
  userId,
  ownerId: userId,
  configuredBy: userId,
  ...more,
});

export const never = () => new AbortController().signal;

export const context: ToolContext = { userId: 'ann', botId: null, conversationId: 'c', callId: '1' };

export async function called(tool: Tool | undefined, input: unknown = {}, of: Partial<ToolContext> = {}) {
  return tool!.call(input, { ...context, ...of }, never());
}
