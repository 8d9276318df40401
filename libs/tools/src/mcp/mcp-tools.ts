import { type McpServerConfig, mcpToolName } from '@parlance/config';
import type { Tool as ServerTool } from '@modelcontextprotocol/client';
import { type ListedTool, type Tool, ToolSource, type ToolUser } from '../tool.ts';
import { ConnectionRequired } from './credentials.ts';
import { FIND_MILLIS, MOST_DEFINITIONS } from './limits.ts';
import { loggableError } from './loggable-error.ts';
import type { McpServer, SessionParts } from './mcp-session.ts';
import { McpSessions } from './mcp-sessions.ts';
import { McpTool, UnconnectedTool } from './mcp-tool.ts';
import { isFaultOfServer, ServerHealth } from './server-health.ts';
import { definitionOf } from './tool-definition.ts';
import { ToolLists } from './tool-lists.ts';

export interface McpToolsParts extends SessionParts {
  readonly servers: Readonly<Record<string, McpServerConfig>>;
  /** The groups that the user has now. Called only for servers that are restricted to groups. */
  groupsOf(userId: string): Promise<readonly string[]>;
  /** Called when a server's tools are left out of a reply. */
  leftOut(server: string, reason: unknown): void;
  /** How long a server may take before its tools are left out of a reply. */
  readonly findMillis?: number;
}

type WatchedServer = McpServer & { readonly health: ServerHealth };

interface ServerRequest {
  readonly server: WatchedServer;
  /** The account that owns the sessions. */
  readonly userId: string;
  /** Tool names. */
  readonly wanted: readonly string[];
  readonly mayGoUnasked: boolean;
}

/** The tools of the configured MCP servers. */
export class McpTools extends ToolSource {
  private readonly servers: readonly WatchedServer[];
  private readonly sessions: McpSessions;
  private readonly lists: ToolLists;
  private readonly findMillis: number;

  constructor(private readonly parts: McpToolsParts) {
    super();
    const used = Object.entries(parts.servers).filter(([, { enabled }]) => enabled);
    this.servers = used.map(([name, config]) => ({ name, config, health: new ServerHealth() }));
    this.findMillis = parts.findMillis ?? FIND_MILLIS;
    this.sessions = new McpSessions(parts, this.findMillis);
    this.lists = new ToolLists(this.sessions, this.findMillis);
  }

  /**
   * Returns only allowed tools of servers that both the user and the owner of the bot may use. The tools of a server that fails, or does not
   * answer within `FIND_MILLIS`, are left out. The tools of a server that the user must connect first are returned: calling one says so.
   */
  override async find(names: readonly string[], user: ToolUser, signal: AbortSignal): Promise<readonly Tool[]> {
    const { userId, ownerId, configuredBy, apiId } = user;
    const groups = this.groupsOnce();
    const found = await Promise.all(
      this.servers.map(async (server) => {
        if (apiId !== undefined && !isForPrograms(server)) return [];
        const wanted = allowedOf(server, names);
        if (wanted.length === 0 || !(await this.isFor(server, userId, groups)) || !(await this.isFor(server, ownerId, groups))) return [];
        const mayGoUnasked = (!actsAsUser(server) || configuredBy === userId) && (await this.isFor(server, configuredBy, groups));
        return this.inTime({ server, userId: apiId ?? userId, wanted, mayGoUnasked }, signal);
      }),
    );
    signal.throwIfAborted();
    return found.flat();
  }

  /** From the configuration alone, without contacting a server. Tools whose effect only the server knows count as writing. */
  override async list(userId: string): Promise<readonly ListedTool[]> {
    const groups = this.groupsOnce();
    const listed = await Promise.all(
      this.servers.map(async (server) =>
        (await this.isFor(server, userId, groups)) ? server.config.allowed_tools.map((tool) => listedOf(server, tool)) : [],
      ),
    );
    return listed.flat();
  }

  /** Call it after a user has connected or disconnected a server. It drops everything that belongs to the earlier account. */
  async connectionChanged(server: string, userId: string): Promise<void> {
    this.lists.forget(server, userId);
    await this.sessions.end(server, userId);
  }

  close(): Promise<void> {
    return this.sessions.close();
  }

  /** Reads each user's groups once. */
  private groupsOnce(): (userId: string) => Promise<readonly string[]> {
    const read = new Map<string, Promise<readonly string[]>>();
    return (userId) => {
      const groups = read.get(userId) ?? this.parts.groupsOf(userId);
      read.set(userId, groups);
      return groups;
    };
  }

  /** No user may use a server that is restricted to groups while the user's groups cannot be read. */
  private async isFor(
    { name, config }: McpServer,
    userId: string | null,
    groupsOf: (userId: string) => Promise<readonly string[]>,
  ): Promise<boolean> {
    if (config.groups.length === 0) return true;
    if (userId === null) return false;
    try {
      const own = await groupsOf(userId);
      return config.groups.some((group) => own.includes(group));
    } catch (error) {
      this.parts.leftOut(name, error);
      return false;
    }
  }

  private async inTime(asked: ServerRequest, signal: AbortSignal) {
    const { server, userId, wanted } = asked;
    const { health, name, config } = server;
    if (health.isPaused) return [];
    // A slow token of one user does not mean that the server is slow.
    let isAsked = config.auth === 'none';
    const { promise, reject } = Promise.withResolvers<never>();
    const late = new Error(`no answer in ${this.findMillis} ms`);
    const timer = setTimeout(() => reject(late), this.findMillis);
    const stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
    try {
      await Promise.race([this.requireToken(server, userId), promise]);
      isAsked = true;
      return await Promise.race([this.toolsOf(asked), promise]);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ConnectionRequired) return wanted.map((tool) => new UnconnectedTool(mcpToolName(name, tool), name));
      if (isAsked && isFaultOfServer(error)) health.pause();
      this.parts.leftOut(name, error === late ? late : loggableError(error));
      return [];
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    }
  }

  private async requireToken({ name, config }: McpServer, userId: string): Promise<void> {
    if (config.auth === 'none') return;
    const token = await this.parts.credentials.token(name, userId, AbortSignal.timeout(this.findMillis));
    if (token === null) throw new ConnectionRequired(name);
  }

  private async toolsOf({ server, userId, wanted, mayGoUnasked }: ServerRequest): Promise<readonly Tool[]> {
    const { name, config, health } = server;
    const served = await this.lists.of(server, userId);
    const tools: Tool[] = [];
    let left = MOST_DEFINITIONS;
    for (const each of served.filter((tool, index) => wanted.includes(tool.name) && isFirst(served, tool, index))) {
      const definition = definitionOf(mcpToolName(name, each.name), each);
      left -= definition === null ? 0 : JSON.stringify(definition).length;
      if (definition === null || left < 0) this.parts.leftOut(name, new Error(`The definition of ${each.name} is too large.`));
      else tools.push(new McpTool(definition, doesWrite(config, each), each, { server, sessions: this.sessions, health }, mayGoUnasked));
    }
    return tools;
  }
}

/** The server's allowed tools among these names. `<server>__*` means all of them. */
function allowedOf({ name, config }: McpServer, names: readonly string[]): readonly string[] {
  if (names.includes(`${name}__*`)) return config.allowed_tools;
  return config.allowed_tools.filter((tool) => names.includes(mcpToolName(name, tool)));
}

const actsAsUser = ({ config }: McpServer): boolean => config.auth === 'oauth';

/** Programs have no accounts at servers and are in no group. */
const isForPrograms = (server: McpServer): boolean => !actsAsUser(server) && server.config.groups.length === 0;

/** A server may list a tool twice. */
const isFirst = (served: readonly ServerTool[], { name }: ServerTool, index: number): boolean =>
  served.findIndex((each) => each.name === name) === index;

/** The configuration decides, otherwise the server's annotation. A tool without either counts as writing. */
function doesWrite({ writes }: McpServerConfig, { name, annotations }: ServerTool): boolean {
  return writes === null ? annotations?.readOnlyHint !== true : writes.includes(name);
}

const listedOf = ({ name, config }: McpServer, tool: string): ListedTool => ({
  name: mcpToolName(name, tool),
  description: `The tool ${tool} of ${name}.`,
  writes: config.writes === null || config.writes.includes(tool),
});
