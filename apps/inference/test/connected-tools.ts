import { type TestMcpServer, mcpServer } from '@parlance/tools/test-server';
import { type AuthorizationServer, authorizationServer } from './authorization-server.ts';

const REDIRECT_URI = 'http://parlance.test/tool-connections/callback';

export interface ConnectedTools {
  readonly tools: TestMcpServer;
  readonly authorization: AuthorizationServer;
  readonly settings: Record<string, string>;
  stop(): Promise<void>;
}

/** A server with the tool `whoami`, which demands tokens of a real authorization server, and the settings of a service that uses it. */
export async function connectedTools(options: { validity?: number; config?: object } = {}): Promise<ConnectedTools> {
  const tools: TestMcpServer = await mcpServer([{ name: 'whoami', does: () => 'It is you.' }]);
  const authorization = await authorizationServer({ redirectUri: REDIRECT_URI, resource: () => tools.url, ...options });
  tools.intercept = async (_, request, response) => {
    if (request.url === '/.well-known/oauth-protected-resource/mcp') {
      const metadata = { resource: tools.url, authorization_servers: [authorization.issuer], scopes_supported: ['read'] };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(metadata));
      return true;
    }
    const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
    if ((await authorization.userOf(token)) !== null) return false;
    const metadata = `${new URL(tools.url).origin}/.well-known/oauth-protected-resource/mcp`;
    response.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${metadata}"` }).end();
    return true;
  };
  const docs = { url: tools.url, auth: 'oauth', allowed_tools: ['whoami'], ...options.config };
  return {
    tools,
    authorization,
    settings: {
      PARLANCE_PUBLIC_BASE_URL: 'http://parlance.test',
      PARLANCE_FETCH_ALLOWED_PRIVATE_RANGES: '127.0.0.1/32',
      PARLANCE_CONSOLE_ORIGINS: 'https://console.example.org',
      PARLANCE_MCP_SERVERS: JSON.stringify({ docs }),
    },
    async stop() {
      await tools.stop();
      await authorization.stop();
    },
  };
}
