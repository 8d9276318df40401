/** What a model is told of a tool. The input is described by a JSON schema. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** For whom a bot calls tools. */
export interface ToolUser {
  readonly userId: string;
  /** The owner of the bot; null if a replica of an earlier release does not say it. */
  readonly ownerId: string | null;
  /** The user who last changed the tools, the instruction or the knowledge of the bot, and so answers for calls that nobody approves. */
  readonly configuredBy: string | null;
  /** The published API that a program calls; absent for the user's own conversation. */
  readonly apiId?: string;
}

/** On whose behalf a tool is called. */
export interface ToolContext {
  readonly userId: string;
  readonly botId: string | null;
  /** The published API that a program calls; absent for the user's own conversation. Its sessions at servers are apart from the user's. */
  readonly apiId?: string;
  readonly conversationId: string;
  /** Names the call. It is the same when the call is repeated. */
  readonly callId: string;
}

export interface ToolResult {
  readonly text: string;
  /** The call failed. The text says why, so that the model can go on. */
  readonly isError: boolean;
}

/** Something that a model may call while it writes a reply. */
export abstract class Tool {
  abstract readonly definition: ToolDefinition;
  /** Whether a call may change something outside of Parlance. The approval `writes` asks for those. */
  abstract readonly writes: boolean;
  /** False if the user must approve each call that writes, whatever the bot says: who configured the bot has no right to allow it. */
  readonly mayGoUnasked: boolean = true;
  /** Bounded in time and bytes. A failed call is a result with `isError`; only an aborted one throws. */
  abstract call(input: unknown, context: ToolContext, signal: AbortSignal): Promise<ToolResult>;
}

/** A tool that a bot may name. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly writes: boolean;
}

/** Where tools come from: the built-in ones, and each configured MCP server. */
export abstract class ToolSource {
  /**
   * The tools of these names that this source has for the user. Names that it doesn't know are left out, and tools that the owner of the bot may not use. With `apiId`
   * a program asks, through a published API of this user: tools that act with an account of the user, and tools for some groups of users, are left out.
   */
  abstract find(names: readonly string[], user: ToolUser, signal: AbortSignal): Promise<readonly Tool[]>;

  /** The tools that a bot may name. */
  abstract list(userId: string, signal: AbortSignal): Promise<readonly ListedTool[]>;
}
