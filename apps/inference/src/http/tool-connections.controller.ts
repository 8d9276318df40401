import { Body, Controller, Delete, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { Config } from '@parlance/config';
import { Instant, refuse } from '@parlance/decider';
import { Audited, Caller, explainRefusalsAt, MayBeLeftOut, Open, safeReturnTo, SignedIn } from '@parlance/http';
import { Answers, nameSchemas, Refuses, Summary } from '@parlance/openapi';
import { IsOptional, IsString, Length, MaxLength } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { McpToolSource } from '../adapters/tools/mcp-tool-source.ts';
import { returnToOf, ToolConnections } from '../workflows/tools/tool-connections.ts';

/** Where the browser returns to by default. */
const DEFAULT_RETURN_TO = '/app/tool-connections';
const LONGEST_RETURN_TO = 1_500;
/** The state includes the return address in base64url. */
const LONGEST_STATE = 2_200;
/** Characters of a code or an issuer. */
const LONGEST_PART = 4_096;

const ToolConnection = z.object({
  server: z.string().describe('Name of the server. Its tools are named `<server>__<tool>`.'),
  status: z
    .enum(['connected', 'not_connected', 'lost'])
    .describe('`lost`: the authorization server no longer accepts the connection. Connect again.'),
  connected_time: z.int().nullable().describe('When the user connected the server, in epoch seconds. Null without a connection.'),
  scopes: z.array(z.string()).describe('Scopes that the authorization server granted.'),
});

nameSchemas({ ToolConnection });
type ToolConnection = z.infer<typeof ToolConnection>;

const ToolConnectionsAnswer = z.object({ tool_connections: z.array(ToolConnection), next_token: z.string().nullable() });

const AuthorizeAnswer = z.object({
  authorize_url: z.string().describe('URL of the authorization server, for the browser of the user. It can be used once.'),
  expires_in: z.int().describe('Seconds until the authorization must be completed.'),
});

@MayBeLeftOut()
class AuthorizeBody {
  /** A path on this server, or a URL with an origin from consoleOrigins. */
  @IsOptional() @IsString() @MaxLength(LONGEST_RETURN_TO) return_to?: string;
}

class CompleteBody {
  @Length(1, LONGEST_PART) code!: string;
  @Length(1, LONGEST_STATE) state!: string;
  /** The `iss` in the fragment, if there is one. */
  @IsOptional() @Length(1, LONGEST_PART) iss?: string;
}

/** The caller's accounts at tool servers. */
@Controller('user/me/tool-connections')
export class ToolConnectionsController {
  constructor(
    private readonly connections: ToolConnections,
    private readonly source: McpToolSource,
    private readonly config: Config,
  ) {}

  @Get()
  @SignedIn()
  @Summary('List the tool servers to which you can connect an account.')
  @Answers(200, ToolConnectionsAnswer)
  async list(@Caller() { userId, groups }: Caller): Promise<z.infer<typeof ToolConnectionsAnswer>> {
    const listed = await this.connections.list(userId, groups);
    const tool_connections = listed.map(({ server, row }) => ({
      server,
      status: row?.status ?? ('not_connected' as const),
      connected_time: row && Instant.toSeconds(row.connected_at),
      scopes: [...(row?.scopes ?? [])],
    }));
    return { tool_connections, next_token: null };
  }

  @Post(':server/authorize')
  @SignedIn()
  @HttpCode(200)
  @Summary('Begin a connection: get the URL at which you allow Parlance to use the server.')
  @Answers(200, AuthorizeAnswer)
  @Refuses('invalid_return_to', 400)
  @Refuses('tool_server_not_found', 404)
  @Refuses('tool_server_refused', 409)
  @Refuses('tool_server_unavailable', 503)
  async authorize(
    @Caller() { userId, groups }: Caller,
    @Param('server') server: string,
    @Body() { return_to = DEFAULT_RETURN_TO }: AuthorizeBody,
  ): Promise<z.infer<typeof AuthorizeAnswer>> {
    const returnTo = safeReturnTo(return_to, this.config.consoleOrigins);
    const { authorizeUrl, validSeconds } = await this.connections.begin(server, userId, groups, returnTo);
    return { authorize_url: authorizeUrl, expires_in: validSeconds };
  }

  @Post(':server/complete')
  @SignedIn()
  @HttpCode(200)
  @Audited('connect_tool_server', 'tool_server', 'server')
  @Summary('Complete a connection that you began, with the code and the state from the fragment of return_to.')
  @Answers(200, ToolConnection)
  @Refuses('invalid_tool_state', 400)
  @Refuses('tool_server_not_found', 404)
  @Refuses('tool_authorization_failed', 409)
  async complete(
    @Caller() caller: Caller,
    @Param('server') server: string,
    @Body() { code, state, iss }: CompleteBody,
  ): Promise<ToolConnection> {
    await this.connections.complete(server, caller.userId, caller.groups, { code, state, iss });
    await this.source.connectionChanged(server, caller.userId);
    const { tool_connections } = await this.list(caller);
    return tool_connections.find((each) => each.server === server)!;
  }

  @Delete(':server')
  @SignedIn()
  @HttpCode(204)
  @Audited('disconnect_tool_server', 'tool_server', 'server')
  @Summary('Disconnect a server. Its tokens are destroyed, and revoked if its authorization server supports that.')
  @Answers(204)
  @Refuses('tool_server_not_found', 404)
  async disconnect(@Caller() { userId, groups }: Caller, @Param('server') server: string): Promise<void> {
    await this.connections.disconnect(server, userId, groups);
    await this.source.connectionChanged(server, userId);
  }
}

/**
 * Where authorization servers redirect browsers. It changes nothing, because a link could bring any browser here: the signed-in user's client
 * sends the code, and only the user who began the connection can complete it.
 */
@Controller('tool-connections/callback')
export class ToolConnectionCallbackController {
  constructor(private readonly config: Config) {}

  /** The authorization server writes the query, so no class declares it and unknown parameters are ignored. */
  @Get()
  @Open()
  @HttpCode(302)
  @Summary('Receive the redirect of an authorization server, and redirect the browser to the client.')
  @Answers(302, undefined, {
    description:
      'Redirect to return_to. Its fragment has code, state and iss for POST /user/me/tool-connections/{server}/complete, or error.',
  })
  @Refuses('invalid_tool_state', 400)
  callback(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): void {
    // Relative to this path, so that it works with any public base URL. That page suggests to begin again.
    explainRefusalsAt(request, () => '../app/tool-connections');
    const query = request.query as Readonly<Record<string, unknown>>;
    const text = (name: string, most: number) => {
      const value = query[name];
      return typeof value === 'string' && value.length <= most ? value : undefined;
    };
    const state = text('state', LONGEST_STATE);
    const returnTo = state && returnToOf(state);
    if (!state || !returnTo)
      throw refuse('invalid', 'invalid_tool_state', 'This URL does not come from a connection that was begun here. Begin it again.');
    const fragment = new URLSearchParams({ state });
    for (const name of ['code', 'iss']) if (text(name, LONGEST_PART) !== undefined) fragment.set(name, text(name, LONGEST_PART)!);
    if (!fragment.has('code')) fragment.set('error', /^[a-z_]{1,50}$/.exec(text('error', 50) ?? '')?.[0] ?? 'server_error');
    const location = `${safeReturnTo(returnTo, this.config.consoleOrigins)}#${fragment}`;
    reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', location });
  }
}
