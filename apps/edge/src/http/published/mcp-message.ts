import { readJson } from '@parlance/http';

/** The only method of MCP that starts work. */
const CALL = 'tools/call';

/** The ID of a JSON-RPC request, which its answer repeats. */
export type RpcId = string | number | null;

/** What the edge reads in a JSON-RPC body. */
export interface McpMessage {
  readonly toolCalls: number;
  /** Null for notifications, and for bodies that the service refuses. */
  readonly id: RpcId;
}

export async function mcpMessageIn(body: Buffer): Promise<McpMessage> {
  let value: unknown;
  try {
    value = await readJson(body);
  } catch {
    return { toolCalls: 0, id: null };
  }
  const messages: readonly unknown[] = Array.isArray(value) ? value : [value];
  const toolCalls = messages.filter((message) => (message as { method?: unknown } | null)?.method === CALL).length;
  const { id } = (value ?? {}) as { readonly id?: unknown };
  return { toolCalls, id: typeof id === 'string' || typeof id === 'number' ? id : null };
}
