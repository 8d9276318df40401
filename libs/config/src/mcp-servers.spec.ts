import { describe, expect, it } from '@jest/globals';
import { complaint, load } from '../test/load.ts';
import { effectiveConfig } from './describe-config.ts';

describe('the MCP servers', () => {
  const docs = { url: 'https://docs.example.org/mcp', allowed_tools: ['search'] };
  const wrong = (part: object, name = 'docs') => complaint({ mcpServers: { [name]: { ...docs, ...part } } });

  it('need only their required keys', () => {
    expect(load(null, { MCP_SERVERS: JSON.stringify({ docs }) }).mcpServers).toEqual({
      docs: {
        ...docs,
        writes: null,
        headers: {},
        api_key: null,
        auth: 'none',
        client_id: null,
        client_secret: null,
        scopes: [],
        groups: [],
        timeout_seconds: 30,
        enabled: true,
      },
    });
  });

  it('are printed without their secrets', () => {
    const secrets = { client_id: 'me', client_secret: 'canary-5e1f', headers: { 'x-key': 'canary-5e1f' } };
    const config = load({ mcpServers: { docs: { ...docs, auth: 'oauth', ...secrets }, other: { ...docs, api_key: 'canary-5e1f' } } });
    const printed = JSON.stringify(effectiveConfig(config));
    expect(printed).toContain('docs.example.org');
    expect(printed).not.toContain('canary');
  });

  it.each([
    ['a name with an underscore', {}, 'my_docs', 'mcpServers'],
    ['a tool without a name', { allowed_tools: [''] }, 'docs', 'mcpServers.docs.allowed_tools'],
    ['a tool whose name is too long for models', { allowed_tools: ['a'.repeat(59)] }, 'docs', 'mcpServers.docs.allowed_tools = "aaaa'],
    ['two tools with the same name for models', { allowed_tools: ['a.b', 'a_b'] }, 'docs', 'mcpServers.docs.allowed_tools = "a_b"'],
    ['a writing tool that is not allowed', { writes: ['drop'] }, 'docs', 'mcpServers.docs.writes = "drop"'],
    ['a key together with OAuth', { auth: 'oauth', api_key: 'k' }, 'docs', 'mcpServers.docs.auth = "oauth"'],
    ['a secret without its client', { auth: 'oauth', client_secret: 's' }, 'docs', 'mcpServers.docs.client_id'],
    ['OAuth in plain text', { auth: 'oauth', url: 'http://docs.example.org/mcp' }, 'docs', 'mcpServers.docs.url'],
    ['credentials in the address', { url: 'https://a:b@docs.example.org/mcp' }, 'docs', 'mcpServers.docs.url'],
    ['a header with several lines', { headers: { a: 'b\nc' } }, 'docs', 'mcpServers.docs.headers'],
  ])('are refused: %s', (_, part, name, line) => expect(wrong(part, name)).toContain(line));

  it('may be reached over plain HTTP on this machine, and anywhere if they do not use OAuth', () => {
    const here = { ...docs, auth: 'oauth', url: 'http://127.0.0.1:8000/mcp' };
    expect(Object.keys(load({ mcpServers: { here, inside: { ...docs, url: 'http://docs.internal/mcp' } } }).mcpServers)).toHaveLength(2);
  });
});
