/** The tokens of users for MCP servers with OAuth. */
export abstract class McpCredentials {
  /** A token that is valid now. Null if the user must connect the server first. Rejects if the token cannot be read now. */
  abstract token(server: string, userId: string, signal: AbortSignal): Promise<string | null>;

  /** A new token to replace the one that the server has just refused. Null if the user must connect the server again. */
  abstract renewed(server: string, userId: string, refused: string, signal: AbortSignal): Promise<string | null>;
}

/** Thrown when a user has to connect a server before its tools can be called. */
export class ConnectionRequired extends Error {
  constructor(readonly server: string) {
    super(`The user has to connect ${server} first.`);
    this.name = 'ConnectionRequired';
  }
}
