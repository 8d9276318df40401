/** The tokens of users for servers of tools. */
export abstract class ToolTokens {
  /** A token that is valid now; null if the user has to connect the server first. Rejects while it is unknown. */
  abstract token(server: string, userId: string, signal: AbortSignal): Promise<string | null>;

  /** Another token than the one that the server has just refused; null if the user has to connect the server again. */
  abstract renewed(server: string, userId: string, refused: string, signal: AbortSignal): Promise<string | null>;
}
