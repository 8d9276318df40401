import { IsOptional } from 'class-validator';
import type { Objection } from './embedding-model.ts';
import { Key } from './fields.ts';
import { isGroupName } from './limits.ts';
import { Flag, ListOf, MapOf, OneOf, Text, WebAddress, Whole } from './rules.ts';

/** Server names are used in paths and in the names of tools. */
export const mcpServerName = /^[a-z0-9](-?[a-z0-9]){0,29}$/;

/** Model providers accept tool names up to this length, with only letters, digits, `_` and `-`. */
export const LONGEST_TOOL_NAME = 64;

const aTool = /^[A-Za-z0-9_./-]{1,128}$/;
const tools = 'names of tools, each 1 to 128 letters, digits and _ - . /';

/** A Model Context Protocol server whose tools bots may use. */
export class McpServerConfig {
  @Key('URL of the endpoint (streamable HTTP). Private addresses must be in fetchAllowedPrivateRanges.')
  @WebAddress()
  readonly url!: string;
  @Key('Tools of the server that bots may use. Other tools are never called or shown to a model.')
  @ListOf(tools, (item) => aTool.test(item))
  readonly allowed_tools: readonly string[] = [];
  @Key('Tools among them that change something; the others do not. If not set, the annotations of the server decide.')
  @IsOptional()
  @ListOf(tools, (item) => aTool.test(item))
  readonly writes: readonly string[] | null = null;
  @Key('Headers of each request.', { secret: true })
  @MapOf('names of headers to texts', (value) => /^[ -~]{0,4096}$/.test(value))
  readonly headers: Readonly<Record<string, string>> = {};
  @Key('API key, sent as bearer token.', { secret: true }) @IsOptional() @Text('a key', /^[!-~]{1,8192}$/) readonly api_key: string | null =
    null;
  @Key('none, or oauth: each user connects an account at the server with OAuth 2.1 and PKCE.')
  @OneOf('none', 'oauth')
  readonly auth: 'none' | 'oauth' = 'none';
  @Key('Client ID for oauth. If not set, Parlance registers itself at the authorization server.')
  @IsOptional()
  @Text('a client id', /^[ -~]{1,500}$/)
  readonly client_id: string | null = null;
  @Key('Client secret for oauth; absent for a public client.', { secret: true })
  @IsOptional()
  @Text('a client secret', /^[ -~]{1,1000}$/)
  readonly client_secret: string | null = null;
  @Key('Scopes that are requested with oauth. If empty, those that the server names.')
  @ListOf('scopes', (item) => /^[!#-[\]-~]{1,200}$/.test(item))
  readonly scopes: readonly string[] = [];
  @Key('Groups whose members may use the tools; empty allows all users.')
  @ListOf('group names', isGroupName)
  readonly groups: readonly string[] = [];
  @Key('Maximum time of a call, in seconds.') @Whole(1, 60) readonly timeout_seconds: number = 30;
  @Key('Whether the server is used.') @Flag() readonly enabled: boolean = true;
}

/** The name of a server's tool for bots and models. */
export const mcpToolName = (server: string, tool: string): string => `${server}__${tool.replaceAll(/[^A-Za-z0-9_-]/g, '_')}`;

/** An error for servers whose keys contradict each other. */
export function mcpObjection(servers: Readonly<Record<string, McpServerConfig>>): Objection | null {
  for (const [name, server] of Object.entries(servers)) {
    const objection = serverObjection(name, server);
    if (objection !== null) return objection;
  }
  return null;
}

function serverObjection(name: string, server: McpServerConfig): Objection | null {
  const path = `mcpServers.${name}`;
  const { url, allowed_tools, writes, auth, api_key, client_id, client_secret } = server;
  const names = allowed_tools.map((tool) => mcpToolName(name, tool));
  const long = allowed_tools.find((tool) => mcpToolName(name, tool).length > LONGEST_TOOL_NAME);
  if (long !== undefined)
    return {
      path: `${path}.allowed_tools`,
      value: long,
      allowed: `names that have at most ${LONGEST_TOOL_NAME} characters after ${name}__`,
    };
  const twice = allowed_tools.find((tool, index) => names.indexOf(mcpToolName(name, tool)) !== index);
  if (twice !== undefined)
    return { path: `${path}.allowed_tools`, value: twice, allowed: 'names that differ in their letters, digits, _ and -' };
  const unknown = writes?.find((tool) => !allowed_tools.includes(tool));
  if (unknown !== undefined) return { path: `${path}.writes`, value: unknown, allowed: 'names of allowed_tools' };
  if (auth === 'none') return null;
  if (api_key !== null) return { path: `${path}.auth`, value: auth, allowed: 'none for a server with an api_key' };
  if (client_secret !== null && client_id === null)
    return { path: `${path}.client_id`, value: undefined, allowed: 'set with client_secret' };
  // Users' tokens would be readable in transit.
  const { protocol, hostname } = new URL(url);
  const isHere = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
  if (protocol !== 'https:' && !isHere) return { path: `${path}.url`, value: url, allowed: 'an https address for a server with oauth' };
  return null;
}
