import { readJson } from '@parlance/http';

/** The only method of MCP that starts work. */
const CALL = 'tools/call';

/** How many tool calls a JSON-RPC body has. Zero in a body that is not JSON, which the service refuses. */
export async function toolCallsIn(body: Buffer): Promise<number> {
  let value: unknown;
  try {
    value = await readJson(body);
  } catch {
    return 0;
  }
  const messages: readonly unknown[] = Array.isArray(value) ? value : [value];
  return messages.filter((message) => (message as { method?: unknown } | null)?.method === CALL).length;
}
