import { Controller, Delete, Get, HttpCode, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { refuse } from '@parlance/decider';
import { Vault } from '@parlance/privacy';
import { Answers, nameSchemas, Refuses, Summary } from '@parlance/openapi';
import { Audited, Caller, IdParam, Needs, PageQuery, PageTokens, SignedIn } from '@parlance/http';
import { openOrigin } from '@parlance/foundation';
import { z } from 'zod';
import { Sessions } from '../../workflows/sessions.ts';
import { People } from '../../projections/people.ts';
import { type SessionRow, SessionsOfUser } from '../../projections/sessions.ts';
import { pageAnswer, pageOf } from '../pages.ts';

const ListedSession = z.object({
  session_id: z.string(),
  via: z.string().describe('Sign-in method: password, or the name of the OpenID Connect provider.'),
  create_time: z.int().describe('Time in epoch seconds.'),
  last_used_time: z.int().describe('Time when the newest token was issued, in epoch seconds.'),
  ip_address: z.string().nullable(),
  user_agent: z.string().nullable(),
  current: z.boolean().describe('Whether the request belongs to this session'),
});

nameSchemas({ Session: ListedSession });
type ListedSession = z.infer<typeof ListedSession>;

@Controller()
export class SessionController {
  constructor(
    private readonly queries: QueryBus,
    private readonly sessions: Sessions,
    private readonly people: People,
    private readonly tokens: PageTokens,
    private readonly vault: Vault,
  ) {}

  @Get('auth/sessions')
  @SignedIn()
  @Summary("List the caller's active sessions, newest first.")
  @Answers(200, pageAnswer('sessions', ListedSession))
  @Refuses('invalid_next_token', 400)
  async list(@Caller() { userId, sessionId }: Caller, @Query() page: PageQuery) {
    const rows = await this.queries.execute(new SessionsOfUser(userId));
    // IDs sort by the time of creation, to the millisecond.
    const newestFirst = [...rows].sort((a, b) => (a.session_id < b.session_id ? 1 : -1));
    const listId = { list: 'sessions', userId };
    const { items, next_token } = pageOf(this.tokens, listId, page, newestFirst, ({ session_id }) => session_id, 'falling');
    return { sessions: await Promise.all(items.map((row) => this.shown(row, sessionId))), next_token };
  }

  @Delete('auth/sessions/:sessionId')
  @SignedIn()
  @HttpCode(204)
  @Audited('end_session', 'session', 'sessionId')
  @Summary('End a session of the caller.')
  @Answers(204)
  @Refuses('session_not_found', 404)
  async end(@Caller() { userId }: Caller, @IdParam('sessionId') sessionId: string): Promise<void> {
    const own = await this.queries.execute(new SessionsOfUser(userId));
    if (!own.some(({ session_id }) => session_id === sessionId))
      throw refuse('missing', 'session_not_found', 'There is no such session, or it is over.');
    await this.sessions.end(sessionId, 'ended_elsewhere');
  }

  @Delete('admin/users/:userId/sessions')
  @Needs('Admin')
  @HttpCode(204)
  @Audited('end_session', 'user', 'userId')
  @Summary('End all sessions of a user.')
  @Answers(204)
  @Refuses('user_not_found', 404)
  async endAll(@IdParam('userId') userId: string): Promise<void> {
    await this.people.rowOf(userId);
    await this.sessions.endAll(userId, 'ended_elsewhere');
  }

  private async shown({ user_id: _, epoch: __, expires_at: ___, ...row }: SessionRow, current: string | null): Promise<ListedSession> {
    const ip_address = await openOrigin(this.vault, row.ip_address);
    return { ...row, ip_address, user_agent: await openOrigin(this.vault, row.user_agent), current: row.session_id === current };
  }
}
