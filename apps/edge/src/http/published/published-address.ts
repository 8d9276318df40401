/** The parts of the path of a published bot: `/published/{api_id}/{stage}/{…}`. */
export interface PublishedAddress {
  readonly apiId: string;
  readonly stage: string;
  /** The path below the stage, with its slash: `/conversation`. Empty at the stage itself. */
  readonly below: string;
}

const PREFIX = '/published/';

/** The address in a path that the router has normalized. Null for a path that is not an address of a published bot. */
export function publishedAddressOf(path: string): PublishedAddress | null {
  if (!path.startsWith(PREFIX)) return null;
  const endOfId = path.indexOf('/', PREFIX.length);
  if (endOfId <= PREFIX.length) return null;
  const rest = path.indexOf('/', endOfId + 1);
  const endOfStage = rest < 0 ? path.length : rest;
  if (endOfStage === endOfId + 1) return null;
  return { apiId: path.slice(PREFIX.length, endOfId), stage: path.slice(endOfId + 1, endOfStage), below: path.slice(endOfStage) };
}

/** Paths whose names and errors are those of OpenAI. */
export const isOpenAiStyle = (below: string): boolean => below.startsWith('/v1/');

const MCP = '/mcp';
/** Whether the path is the MCP endpoint. Its requests are JSON-RPC, and only some of them count towards the quota. */
export const isMcp = (below: string): boolean => below === MCP;

/** Paths that follow another standard, so the names of fields are not converted. */
export const hasOwnNames = (below: string): boolean => isOpenAiStyle(below) || isMcp(below);

/** Clients of other standards send the key as a bearer token. */
export const takesBearer = hasOwnNames;
