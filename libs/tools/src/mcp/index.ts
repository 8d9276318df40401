export { ConnectionRequired, McpCredentials } from './credentials.ts';
export { McpTools, type McpToolsParts } from './mcp-tools.ts';
export { webFetch, type WebFetch } from './web-fetch.ts';
export { McpOAuth } from './oauth.ts';
export { type Granted, type OAuthGrant, OAuthRefused, type PendingAuthorization } from './oauth-parts.ts';
