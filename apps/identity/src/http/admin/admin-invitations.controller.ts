import { Body, Controller, Delete, Get, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Config } from '@parlance/config';
import { acceptsCsv, Audited, AuditedRead, Caller, csvList, FreshId, IdParam, Needs, PageQuery, PageTokens } from '@parlance/http';
import { Answers, nameSchemas, Refuses, Summary } from '@parlance/openapi';
import { ArrayMaxSize, IsArray, IsOptional, IsString } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { MOST_GROUPS_OF_USER } from '../../domain/groups-of-user.ts';
import { invitationNotFound } from '../../domain/mail/invitations.ts';
import { InvitationById, OpenInvitations } from '../../projections/invitations.ts';
import { ChosenGroups } from '../../workflows/chosen-groups.ts';
import { Invitations } from '../../workflows/mail/invitations.ts';
import { IsAddress, IsName } from '../bodies.ts';
import { pageAnswer } from '../pages.ts';

const ASKED = { list: 'admin-invitations' };
const COLUMNS = ['invitation_id', 'email', 'first_name', 'last_name', 'groups', 'invited_by', 'create_time', 'expires_at'] as const;

class InviteBody {
  @IsAddress() email!: string;
  @IsOptional() @IsName() first_name?: string;
  @IsOptional() @IsName() last_name?: string;
  @IsOptional() @IsArray() @ArrayMaxSize(MOST_GROUPS_OF_USER) @IsString({ each: true }) groups?: string[];
}

const Invitation = z.object({
  invitation_id: z.string(),
  email: z.string(),
  first_name: z.string().nullable(),
  last_name: z.string().nullable(),
  groups: z.array(z.string()).readonly(),
  invited_by: z.string().nullable().describe('ID of the administrator.'),
  create_time: z.int().describe('Time in epoch seconds.'),
  expires_at: z.int().describe('Time in epoch seconds.'),
});
type Invitation = z.infer<typeof Invitation>;

nameSchemas({ Invitation });

@Controller('admin/invitations')
@Needs('Admin')
export class AdminInvitationsController {
  constructor(
    private readonly queries: QueryBus,
    private readonly invitations: Invitations,
    private readonly groups: ChosenGroups,
    private readonly pages: PageTokens,
    private readonly config: Config,
  ) {}

  @Post()
  @Audited('invite_user', 'invitation')
  @Summary('Invite a person by mail. The link in the mail is valid once, for seven days. An earlier invitation of the address ends.')
  @Answers(201, Invitation)
  @Refuses('group_unknown', 400)
  @Refuses('mail_disabled', 403)
  @Refuses('step_up_required', 403)
  @Refuses('email_taken', 409)
  @Refuses('too_many_groups', 409)
  @Refuses('invitation_ended', 409)
  async invite(
    @FreshId() invitationId: string,
    @Caller() caller: Caller,
    @Body() { email, first_name, last_name, groups }: InviteBody,
  ): Promise<Invitation> {
    const known = await this.groups.require(groups ?? this.config.autoJoinUserGroups, caller);
    await this.invitations.invite(invitationId, { email, firstName: first_name ?? null, lastName: last_name ?? null, groups: known });
    const row = await this.queries.execute(new InvitationById(invitationId));
    const shown = row && (await this.invitations.opened(row));
    if (!shown) throw invitationNotFound();
    return shown;
  }

  @Get()
  @AuditedRead('view_invitations', 'invitation')
  @Summary('List the invitations that are not accepted and have not expired, oldest first.')
  @Answers(200, pageAnswer('invitations', Invitation))
  @Answers(200, { type: 'string' }, { mediaType: 'text/csv' })
  @Refuses('invalid_next_token', 400)
  list(@Query() page: PageQuery, @Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    if (acceptsCsv(request.headers.accept))
      return csvList(reply, { list: 'invitations', columns: COLUMNS, read: (pageQuery) => this.page(pageQuery) });
    return this.page(page);
  }

  private async page({ limit, next_token }: PageQuery) {
    const after = next_token === undefined ? null : this.pages.open<string>(ASKED, next_token);
    const rows = await this.queries.execute(new OpenInvitations(after, limit + 1));
    const shown = rows.slice(0, limit);
    const opened = await Promise.all(shown.map((row) => this.invitations.opened(row)));
    const next = rows.length > limit ? this.pages.seal(ASKED, shown.at(-1)?.invitation_id) : null;
    return { invitations: opened.filter((invitation) => invitation !== null), next_token: next };
  }

  @Delete(':invitationId')
  @HttpCode(204)
  @Audited('end_invitation', 'invitation', 'invitationId')
  @Summary('Revoke an invitation. Its link is invalid by the time the answer arrives. Refused for ten minutes after its link was used.')
  @Answers(204)
  @Refuses('invitation_not_found', 404)
  @Refuses('invitation_being_accepted', 409)
  revoke(@IdParam('invitationId') invitationId: string): Promise<void> {
    return this.invitations.revoke(invitationId);
  }
}
