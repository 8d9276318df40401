import { type McpServerConfig, mcpToolName } from '@parlance/config';
import type { Tool as ToldTool } from '@modelcontextprotocol/client';
import { type ListedTool, type Tool, ToolSource, type ToolUser } from '../tool.ts';
import { ConnectionRequired } from './credentials.ts';
import { FIND_MILLIS, MOST_DEFINITIONS } from './limits.ts';
import { loggableError } from './loggable-error.ts';
import type { McpServer, SessionParts } from './mcp-session.ts';
import { McpSessions } from './mcp-sessions.ts';
import { McpTool, UnconnectedTool } from './mcp-tool.ts';
import { isFaultOfServer, ServerHealth } from './server-health.ts';
import { definitionOf } from './told-definition.ts';
import { ToolLists } from './tool-lists.ts';

export interface McpToolsParts extends SessionParts {
  readonly servers: Readonly<Record<string, McpServerConfig>>;
  /** The groups that the user has now. Asked only for servers that are for some groups. */
  groupsOf(userId: string): Promise<readonly string[]>;
  /** Called when the tools of a server are left out of a reply. */
  leftOut(server: string, reason: unknown): void;
  /** How long a server has, until its tools are left out of a reply. */
  readonly findMillis?: number;
}

type WatchedServer = McpServer & { readonly health: ServerHealth };

interface AskedServer {
  readonly server: WatchedServer;
  /** The account whose sessions are used. */
  readonly userId: string;
  /** Names of tools. */
  readonly wanted: readonly string[];
  readonly mayGoUnasked: boolean;
}

/** The tools of the configured servers of the Model Context Protocol. */
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
   * Only allowed tools, and only those of servers that both the user and the owner of the bot may use. The tools of a server that fails, or that does not answer within `FIND_MILLIS`, are left out. Those of a server
   * that the user has to connect first are there: their result says so.
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

  /** By the configuration alone: no server is asked. Tools whose effect only the server knows count as those that write. */
  override async list(userId: string): Promise<readonly ListedTool[]> {
    const groups = this.groupsOnce();
    const listed = await Promise.all(
      this.servers.map(async (server) =>
        (await this.isFor(server, userId, groups)) ? server.config.allowed_tools.map((tool) => listedOf(server, tool)) : [],
      ),
    );
    return listed.flat();
  }

  /** After a user has connected or disconnected a server: nothing of the earlier account is used any more. */
  async connectionChanged(server: string, userId: string): Promise<void> {
    this.lists.forget(server, userId);
    await this.sessions.end(server, userId);
  }

  close(): Promise<void> {
    return this.sessions.close();
  }

  /** Reads the groups of each user once. */
  private groupsOnce(): (userId: string) => Promise<readonly string[]> {
    const read = new Map<string, Promise<readonly string[]>>();
    return (userId) => {
      const groups = read.get(userId) ?? this.parts.groupsOf(userId);
      read.set(userId, groups);
      return groups;
    };
  }

  /** Nobody may use a server for some groups while the groups of the user cannot be read. */
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

  private async inTime(asked: AskedServer, signal: AbortSignal) {
    const { server, userId, wanted } = asked;
    const { health, name, config } = server;
    if (health.isPaused) return [];
    // Slow tokens of one user say nothing about the server.
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

  private async toolsOf({ server, userId, wanted, mayGoUnasked }: AskedServer): Promise<readonly Tool[]> {
    const { name, config, health } = server;
    const told = await this.lists.of(server, userId);
    const tools: Tool[] = [];
    let left = MOST_DEFINITIONS;
    for (const each of told.filter((tool, index) => wanted.includes(tool.name) && isFirst(told, tool, index))) {
      const definition = definitionOf(mcpToolName(name, each.name), each);
      left -= definition === null ? 0 : JSON.stringify(definition).length;
      if (definition === null || left < 0) this.parts.leftOut(name, new Error(`The definition of ${each.name} is too large.`));
      else tools.push(new McpTool(definition, doesWrite(config, each), each, { server, sessions: this.sessions, health }, mayGoUnasked));
    }
    return tools;
  }
}

/** The allowed tools of a server among these names. `<server>__*` means all of them. */
function allowedOf({ name, config }: McpServer, names: readonly string[]): readonly string[] {
  if (names.includes(`${name}__*`)) return config.allowed_tools;
  return config.allowed_tools.filter((tool) => names.includes(mcpToolName(name, tool)));
}

const actsAsUser = ({ config }: McpServer): boolean => config.auth === 'oauth';

/** Programs have no accounts at servers, and are in no group. */
const isForPrograms = (server: McpServer): boolean => !actsAsUser(server) && server.config.groups.length === 0;

/** A server may name a tool twice. */
const isFirst = (told: readonly ToldTool[], { name }: ToldTool, index: number): boolean =>
  told.findIndex((each) => each.name === name) === index;

/** The configuration decides, else the server says it. A tool of which nothing is said writes. */
function doesWrite({ writes }: McpServerConfig, { name, annotations }: ToldTool): boolean {
  return writes === null ? annotations?.readOnlyHint !== true : writes.includes(name);
}

const listedOf = ({ name, config }: McpServer, tool: string): ListedTool => ({
  name: mcpToolName(name, tool),
  description: `The tool ${tool} of ${name}.`,
  writes: config.writes === null || config.writes.includes(tool),
});
