import type { Tool as ServerTool } from '@modelcontextprotocol/client';
import { LIST_MILLIS, MOST_LISTS } from './limits.ts';
import type { McpServer } from './mcp-session.ts';
import type { McpSessions } from './mcp-sessions.ts';

interface Listed {
  readonly at: number;
  readonly tools: Promise<readonly ServerTool[]>;
}

/** The tools of servers, cached for a few minutes. Without OAuth all users share one list. */
export class ToolLists {
  /** Ordered by the time of reading, the oldest first. */
  private readonly lists = new Map<string, Listed>();

  constructor(
    private readonly sessions: McpSessions,
    private readonly findMillis: number,
    /** A monotonic clock, in milliseconds. */
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** A server's allowed tools. Concurrent requests for a list share one answer. Rejects as `McpSessions.use` does. */
  async of(server: McpServer, userId: string): Promise<readonly ServerTool[]> {
    const key = server.config.auth === 'oauth' ? `${server.name} ${userId}` : server.name;
    const known = this.lists.get(key);
    if (known && this.now() - known.at < LIST_MILLIS) return known.tools;
    this.lists.delete(key);
    const [oldest] = this.lists.keys();
    if (oldest !== undefined && this.lists.size >= MOST_LISTS) this.lists.delete(oldest);
    const listed = { at: this.now(), tools: this.read(server, userId) };
    this.lists.set(key, listed);
    try {
      return await listed.tools;
    } catch (error) {
      if (this.lists.get(key) === listed) this.lists.delete(key);
      throw error;
    }
  }

  /** Forgets the tools of an account that is no longer connected. */
  forget(server: string, userId: string): void {
    this.lists.delete(`${server} ${userId}`);
  }

  private read(server: McpServer, userId: string): Promise<readonly ServerTool[]> {
    const allowed = new Set(server.config.allowed_tools);
    // Several replies may wait for the list, so aborting one of them must not end it.
    const ends = AbortSignal.timeout(this.findMillis);
    return this.sessions.use(server, userId, ends, (session) => session.tools(allowed, ends, this.findMillis));
  }
}
