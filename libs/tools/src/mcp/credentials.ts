/** The tokens of users for servers with OAuth. */
export abstract class McpCredentials {
  /** A token that is valid now; null if the user has to connect the server first. Rejects while it is unknown. */
  abstract token(server: string, userId: string, signal: AbortSignal): Promise<string | null>;

  /** Another token than the one that the server has just refused; null if the user has to connect the server again. */
  abstract renewed(server: string, userId: string, refused: string, signal: AbortSignal): Promise<string | null>;
}

/** Thrown when a user has to connect a server before its tools can be called. */
export class ConnectionRequired extends Error {
  constructor(readonly server: string) {
    super(`The user has to connect ${server} first.`);
    this.name = 'ConnectionRequired';
  }
}
