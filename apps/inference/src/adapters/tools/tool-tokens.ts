/** Users' tokens for tool servers. */
export abstract class ToolTokens {
  /** A valid token. Null if the user has to connect the server first. Rejects while this is unknown. */
  abstract token(server: string, userId: string, signal: AbortSignal): Promise<string | null>;

  /** A new token instead of the one that the server has just refused. Null if the user has to connect the server again. */
  abstract renewed(server: string, userId: string, refused: string, signal: AbortSignal): Promise<string | null>;
}
