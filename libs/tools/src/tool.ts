/** A tool as the model sees it. A JSON schema describes the input. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** The user that a bot calls tools for. */
export interface ToolUser {
  readonly userId: string;
  /** The owner of the bot. Null if a replica of an earlier release does not send it. */
  readonly ownerId: string | null;
  /** The user who last changed the bot's tools, instruction or knowledge. This user is responsible for calls that run without approval. */
  readonly configuredBy: string | null;
  /** The published API that a program calls. Absent for the user's own conversation. */
  readonly apiId?: string;
}

/** The caller of a tool. */
export interface ToolContext {
  readonly userId: string;
  readonly botId: string | null;
  /** The published API that a program calls. Absent for the user's own conversation. A program's sessions at servers are separate from the user's. */
  readonly apiId?: string;
  readonly conversationId: string;
  /** The ID of the call. It stays the same when the call is repeated. */
  readonly callId: string;
}

export interface ToolResult {
  readonly text: string;
  /** True if the call failed. The text gives the reason, so that the model can go on. */
  readonly isError: boolean;
  /** Images that the call has made, in base64. They are kept with the reply and shown to the user. */
  readonly images?: readonly string[];
}

/** A tool that a model may call while it writes a reply. */
export abstract class Tool {
  abstract readonly definition: ToolDefinition;
  /** Whether a call may change something outside Parlance. The approval setting `writes` applies to those calls. */
  abstract readonly writes: boolean;
  /**
   * False if the user must approve each writing call regardless of the bot's setting, because the user who configured the bot may not waive the
   * approval.
   */
  readonly mayGoUnasked: boolean = true;
  /** Whether a call costs something. Then it is not repeated if it is unknown whether it was made. */
  readonly isPaid: boolean = false;
  /** The time limit of a call. */
  readonly mostMillis: number = 60_000;
  /** Bounded in time and bytes. A failed call is a result with `isError`. Only an aborted call throws. */
  abstract call(input: unknown, context: ToolContext, signal: AbortSignal): Promise<ToolResult>;
}

/** A tool that a bot may name. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly writes: boolean;
}

/** A source of tools: the built-in ones, and each configured MCP server. */
export abstract class ToolSource {
  /**
   * The source's tools with these names that the user may call. Unknown names and tools that the bot's owner may not use are left out. With
   * `apiId`, a program calls through this user's published API: tools that act with an account of the user, and tools restricted to groups, are
   * left out.
   */
  abstract find(names: readonly string[], user: ToolUser, signal: AbortSignal): Promise<readonly Tool[]>;

  /** The tools that a bot may name. */
  abstract list(userId: string, signal: AbortSignal): Promise<readonly ListedTool[]>;
}
